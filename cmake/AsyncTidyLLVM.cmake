# Finds exactly the LLVM that ASYNC_TIDY_LLVM_MAJOR names: a plugin built
# against another major than its clang-tidy must not happen by accident.

set(_llvm_prefix "/usr/lib/llvm-${ASYNC_TIDY_LLVM_MAJOR}")
# No version here: LLVM's package accepts nothing but its own major.minor.
find_package(LLVM REQUIRED CONFIG HINTS "${_llvm_prefix}/lib/cmake/llvm")
if(NOT LLVM_VERSION_MAJOR EQUAL ASYNC_TIDY_LLVM_MAJOR)
  message(FATAL_ERROR "LLVM ${ASYNC_TIDY_LLVM_MAJOR} was asked for, "
                      "${LLVM_DIR} is ${LLVM_PACKAGE_VERSION}")
endif()
# The Clang of the same installation, never another one that happens to be found.
find_package(Clang REQUIRED CONFIG NO_DEFAULT_PATH
             PATHS "${LLVM_LIBRARY_DIRS}/cmake/clang")

set(ASYNC_TIDY_LLVM_BIN "${LLVM_TOOLS_BINARY_DIR}")
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

# Where the installed clang keeps <stddef.h> and its kin: executables outside
# LLVM's prefix cannot work this out from their own place.
execute_process(COMMAND "${ASYNC_TIDY_LLVM_BIN}/clang" -print-resource-dir
                OUTPUT_VARIABLE ASYNC_TIDY_RESOURCE_DIR
                OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
get_filename_component(ASYNC_TIDY_RESOURCE_DIR "${ASYNC_TIDY_RESOURCE_DIR}"
                       REALPATH)
