// asio's operator `||` between awaitables.
#pragma once
#include "asio.h"
#include <variant>

namespace asio::experimental::awaitable_operators {
template <class A, class B>
awaitable<std::variant<int, int>> operator||(awaitable<A>, awaitable<B>);
} // namespace asio::experimental::awaitable_operators
