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

# ccache takes compilations with a precompiled header only when told that macros
# such as __TIME__ do not matter. PCH_EXTSUM: see async_tidy_add_pch().
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_PCH_EXTSUM=1 "${CCACHE_PROGRAM}")
endif()

# async_tidy_add_pch(<header>), then async_tidy_use_pch(<target>)
# target_precompile_headers() is not used because it puts the build folder's
# path into each command line, and clang puts it into the PCH: ccache could
# share nothing between two clones. Here the path is an argument that ccache
# makes relative, and it compares the .sum file in the place of the PCH.
function(async_tidy_add_pch header)
  set_source_files_properties(${header} PROPERTIES LANGUAGE CXX)
  add_library(AsyncTidyPch OBJECT ${header})
  target_compile_options(AsyncTidyPch PRIVATE
                         "SHELL:-x c++-header" "SHELL:-Xclang -fno-pch-timestamp")
  set(pch "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/AsyncTidyPch.dir/${header}.o")
  set_property(TARGET AsyncTidyPch PROPERTY ASYNC_TIDY_PCH "${pch}")
  file(READ "${CMAKE_CURRENT_SOURCE_DIR}/${header}" text)
  file(CONFIGURE OUTPUT "${pch}.sum" CONTENT
       "clang ${CMAKE_CXX_COMPILER_VERSION} LLVM ${LLVM_PACKAGE_VERSION} json ${nlohmann_json_VERSION} ${CMAKE_CXX_FLAGS} ${CMAKE_BUILD_TYPE}\n${text}"
       @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
endfunction()

function(async_tidy_use_pch target)
  get_target_property(pch AsyncTidyPch ASYNC_TIDY_PCH)
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${pch}")
  add_dependencies(${target} AsyncTidyPch)
  target_compile_options(${target} PRIVATE "SHELL:-include-pch ${pch}")
endfunction()
