# Compiler settings of every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

# -O1 and line tables: a check costs a third of the time to build, backtraces
# stay readable, and nearly all run time is spent inside clang's own libraries.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1 -DNDEBUG")

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
include_directories("${CMAKE_SOURCE_DIR}")
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=return-type
                    -Werror=switch)
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options(-fno-rtti)
endif()

# ccache looks into precompiled headers only when told that macros such as
# __TIME__ do not matter and when the PCH carries no time stamp.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      "${CCACHE_PROGRAM}")
endif()
set(ASYNC_TIDY_PCH_OPTIONS "")
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(ASYNC_TIDY_PCH_OPTIONS "SHELL:-Xclang -fno-pch-timestamp")
endif()
