//===--- BuiltinNamesTest.cpp - Do the models spell names as they are? ----===//
//
// A model is right only if its names are those that real headers declare:
// typedefs, inline namespaces and base classes decide that, and they differ
// from what one writes. So real headers are parsed here. Each statement of a
// function whose name is a role must contain an expression of that role.
//
//===----------------------------------------------------------------------===//

#include "checks/analysis/SymbolRoles.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace async_tidy;
using namespace clang;

namespace {

class RoleFinder : public RecursiveASTVisitor<RoleFinder> {
public:
  RoleFinder(const SymbolRoles &Roles, Role R) : Roles(Roles), R(R) {}
  bool VisitExpr(Expr *E) {
    Found |= Roles.find(E, R) != nullptr ||
             Roles.findType(E->getType(), R) != nullptr;
    return !Found;
  }
  bool VisitVarDecl(VarDecl *V) {
    Found |= Roles.findType(V->getType(), R) != nullptr;
    return !Found;
  }
  bool shouldVisitImplicitCode() const { return true; }
  bool Found = false;

private:
  const SymbolRoles &Roles;
  Role R;
};

void expectRoles(llvm::StringRef Code) {
  auto Models = ModelSet::load({});
  ASSERT_TRUE(bool(Models)) << llvm::toString(Models.takeError());
  std::unique_ptr<ASTUnit> AST = tooling::buildASTFromCodeWithArgs(
      Code, {"-std=c++20", "-resource-dir", ASYNC_TIDY_RESOURCE_DIR, "-w"});
  ASSERT_TRUE(AST);
  ASTContext &Ctx = AST->getASTContext();
  ASSERT_FALSE(Ctx.getDiagnostics().hasErrorOccurred());
  SymbolRoles Roles(Ctx, *Models);
  unsigned Functions = 0;
  for (Decl *D : Ctx.getTranslationUnitDecl()->decls()) {
    auto *F = dyn_cast<FunctionDecl>(D);
    if (!F || !F->hasBody() || !F->getIdentifier() ||
        !Ctx.getSourceManager().isInMainFile(F->getLocation()))
      continue;
    std::string Name = F->getName().str();
    bool Not = llvm::StringRef(Name).starts_with("not_");
    if (Not)
      Name.erase(0, 4);
    std::replace(Name.begin(), Name.end(), '_', '-');
    std::optional<Role> R = parseRole(Name);
    if (!R)
      continue;
    ++Functions;
    for (Stmt *S : F->getBody()->children()) {
      RoleFinder Finder(Roles, *R);
      Finder.TraverseStmt(S);
      EXPECT_EQ(Finder.Found, !Not)
          << Name << ", line "
          << Ctx.getSourceManager().getSpellingLineNumber(S->getBeginLoc());
    }
  }
  EXPECT_GT(Functions, 0u);
}

TEST(BuiltinNames, OfTheStandardLibrary) {
  expectRoles(R"cpp(
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <latch>
#include <mutex>
#include <algorithm>
#include <optional>
#include <regex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <variant>
#include <vector>
using namespace std::chrono_literals;

void blocking(std::condition_variable &C, std::condition_variable_any &A,
              std::unique_lock<std::mutex> &L, std::thread &T, std::jthread &J,
              std::future<int> &F, std::shared_future<void> &S, std::mutex &M,
              std::shared_timed_mutex &TM, std::counting_semaphore<3> &Sem,
              std::latch &La, std::barrier<> &B, std::atomic<int> &At,
              std::atomic_flag &Fl, std::string &Str) {
  std::this_thread::sleep_for(1s);
  std::this_thread::sleep_until(std::chrono::steady_clock::now());
  C.wait(L);
  C.wait(L, [] { return true; });
  C.wait_for(L, 1s);
  C.wait_until(L, std::chrono::steady_clock::now());
  A.wait(L);
  A.wait_for(L, 1s);
  T.join();
  J.join();
  F.get();
  F.wait();
  F.wait_for(1s);
  S.get();
  S.wait();
  S.wait_until(std::chrono::steady_clock::now());
  M.lock();
  TM.lock_shared();
  TM.try_lock_for(1s);
  L.lock();
  std::lock(M, L);
  Sem.acquire();
  Sem.try_acquire_for(1s);
  La.wait();
  La.arrive_and_wait();
  B.arrive_and_wait();
  At.wait(3);
  Fl.wait(true);
  std::lock_guard<std::mutex> G(M);
  std::scoped_lock SL(M);
  std::unique_lock<std::mutex> UL(M);
  std::shared_lock<std::shared_timed_mutex> ShL(TM);
  std::ifstream In("a");
  std::ofstream Out("a");
  std::fstream Both("a");
  In.open("b");
  std::filesystem::copy_file("a", "b");
  std::filesystem::remove_all("a");
  std::filesystem::exists("a");
  std::filesystem::create_directories("a");
  for (auto &E : std::filesystem::directory_iterator("a")) {}
  for (auto &E : std::filesystem::recursive_directory_iterator("a")) {}
  std::regex_match(Str, std::regex("a"));
  std::fopen("a", "r");
  std::system("a");
  std::getchar();
}
void not_blocking(std::mutex &M, std::counting_semaphore<3> &Sem,
                  std::condition_variable &C, std::string &Str) {
  M.try_lock();
  M.unlock();
  C.notify_all();
  Sem.release();
  std::unique_lock<std::mutex> D(M, std::defer_lock);
  std::lock_guard<std::mutex> G(M, std::adopt_lock);
  std::ifstream Later;
  std::printf("%d", 1);
  std::filesystem::path P("a");
  Str.size();
}
void nonblocking(std::mutex &M, std::counting_semaphore<3> &Sem) {
  M.try_lock();
  Sem.try_acquire();
}
void cancellation_test(std::stop_token T, std::stop_source S) {
  T.stop_requested();
  S.stop_requested();
}
void cancellation_request(std::stop_source S, std::jthread &J) {
  S.request_stop();
  J.request_stop();
}
void token() { std::stop_token{}; }
void source() { std::stop_source{}; }
void deadline() { std::chrono::steady_clock::now() + 3s; }
void clock_now() {
  std::chrono::steady_clock::now();
  std::chrono::system_clock::now();
}
void cancellation_code() { std::errc E = std::errc::operation_canceled; }
void error_code() { std::make_error_code(std::errc::timed_out); }
void error_holder() { std::current_exception(); }
void code_exception() { throw std::system_error(std::error_code{}); }
void error_access(std::system_error &E) { E.code(); }
void hand_over(std::promise<int> &P) {
  P.set_exception(std::current_exception());
}
void lock_guard(std::mutex &M) { std::lock_guard<std::mutex> G(M); }
void logging(std::exception &E) {
  std::cerr << "text";
  std::cerr << E.what();
  std::cout << 3;
  std::fprintf(stderr, "text");
  std::perror("text");
}
void offload() {
  std::async([] {});
  std::thread([] {}).detach();
  std::jthread([] {}).detach();
}
void inline_call(std::vector<int> &V, std::variant<int, char> X,
                 std::once_flag &Once) {
  std::for_each(V.begin(), V.end(), [](int) {});
  std::ranges::for_each(V, [](int) {});
  std::invoke([] {});
  std::visit([](auto) {}, X);
  std::call_once(Once, [] {});
  std::sort(V.begin(), V.end(), [](int A, int B) { return A < B; });
  std::erase_if(V, [](int) { return true; });
}
)cpp");
}

TEST(BuiltinNames, OfPosix) {
  expectRoles(R"cpp(
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace mine { int read(int, char *, int); }
int recv(const char *, int, long); // no C function of that name

void blocking(int FD, char *B, pollfd *P, epoll_event *E, sem_t *S,
              pthread_mutex_t *M, struct stat *St, fd_set *Set) {
  sleep(1);
  usleep(1);
  nanosleep(nullptr, nullptr);
  read(FD, B, 1);
  write(FD, B, 1);
  pread(FD, B, 1, 0);
  open("a", O_RDONLY);
  fsync(FD);
  ::recv(FD, B, 1, 0);
  send(FD, B, 1, 0);
  connect(FD, nullptr, 0);
  accept(FD, nullptr, nullptr);
  poll(P, 1, 1000);
  epoll_wait(FD, E, 1, 1000);
  select(1, Set, nullptr, nullptr, nullptr);
  getaddrinfo("a", "b", nullptr, nullptr);
  gethostbyname("a");
  waitpid(1, nullptr, 0);
  system("a");
  popen("a", "r");
  sem_wait(S);
  pthread_join(0, nullptr);
  pthread_mutex_lock(M);
  stat("a", St);
  fopen("a", "r");
  fread(B, 1, 1, stdin);
}
void not_blocking(int FD, char *B) {
  mine::read(FD, B, 1);
  recv("a", 1, 2L);
  close(FD);
  getpid();
  printf("a");
}
)cpp");
}

TEST(BuiltinNames, OfBoostAsio) {
  if (!llvm::sys::fs::exists("/usr/include/boost/asio.hpp"))
    GTEST_SKIP() << "Boost is not installed";
  expectRoles(R"cpp(
#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <chrono>
namespace asio = boost::asio;
using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using tcp = asio::ip::tcp;
asio::awaitable<void> get();
asio::awaitable<int> number();
using Channel =
    asio::experimental::channel<void(boost::system::error_code, int)>;

void task() { get(); }
void race(asio::steady_timer &T) {
  get() || get();
  number() || T.async_wait(asio::use_awaitable);
}
void gather() { get() && get(); }
void timer_setup(asio::steady_timer &T, asio::any_io_executor Ex,
                 asio::io_context &Io) {
  T.expires_after(1s);
  T.expires_at(std::chrono::steady_clock::now());
  asio::steady_timer A(Ex, 1s);
  asio::steady_timer B(Io, 1s);
}
void timer_wait(asio::steady_timer &T) { T.async_wait(asio::use_awaitable); }
void shield() {
  asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable);
}
void to_value(boost::system::error_code &Ec) {
  asio::as_tuple(asio::use_awaitable);
  asio::redirect_error(asio::use_awaitable, Ec);
}
void immediate() {
  (void)asio::this_coro::executor;
  (void)asio::this_coro::cancellation_state;
  asio::this_coro::throw_if_cancelled(false);
}
void external_io(tcp::socket &S, tcp::resolver &R, asio::mutable_buffer B) {
  asio::async_read(S, B, asio::use_awaitable);
  asio::async_write(S, B, asio::use_awaitable);
  S.async_read_some(B, asio::use_awaitable);
  S.async_connect(tcp::endpoint(), asio::use_awaitable);
  R.async_resolve("a", "b", asio::use_awaitable);
}
void blocking(tcp::socket &S, tcp::acceptor &A, tcp::resolver &R,
              asio::mutable_buffer B, asio::steady_timer &T) {
  T.wait();
  asio::read(S, B);
  asio::write(S, B);
  asio::connect(S, R.resolve("a", "b"));
  S.read_some(B);
  S.write_some(B);
  S.connect(tcp::endpoint());
  A.accept();
  R.resolve("a", "b");
}
void sync_wait(asio::io_context &Io, asio::thread_pool &P) {
  Io.run();
  Io.run_for(1s);
  P.join();
}
void offload(asio::thread_pool &P) {
  asio::post(P, [] {});
  asio::co_spawn(P, get(), asio::detached);
}
void pool(asio::thread_pool &P) {
  P.get_executor();
  asio::system_executor();
}
void spawn(asio::io_context &Io) { asio::co_spawn(Io, get(), asio::detached); }
void detached_token() { (void)asio::detached; }
void best_effort(tcp::socket &S) {
  S.close();
  S.shutdown(tcp::socket::shutdown_both);
}
void cancellation_code() {
  (void)asio::error::operation_aborted;
  (void)boost::system::errc::operation_canceled;
}
void cancellation_test(asio::cancellation_state S) { S.cancelled(); }
void cancellation_request(asio::steady_timer &T, tcp::socket &S,
                          asio::cancellation_signal &G) {
  T.cancel();
  S.cancel();
  G.emit(asio::cancellation_type::all);
}
void error_test(boost::system::error_code Ec) {
  if (Ec) {}
  Ec.failed();
}
void code_exception() {
  throw boost::system::system_error(boost::system::error_code{});
}
void error_access(boost::system::system_error &E) { E.code(); }
void queue(asio::io_context &Io) { Channel C(Io, 3); }
)cpp");
}

} // namespace
