# Compiler options shared by every target.
add_library(rowmax_options INTERFACE)
option(ROWMAX_WERROR "Treat warnings as errors" OFF)
set(ROWMAX_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")
option(ROWMAX_COVERAGE "Build for a coverage report" OFF)
option(ROWMAX_FUZZ "Build libFuzzer programs of tests/fuzz (clang)" OFF)

# -ffp-contract=off: a fused multiply-add would make a result depend on the compiler's mood.
# errno and floating-point traps are not used: without them, loops with roots and choices become vectors.
set(ROWMAX_ARITHMETIC -ffp-contract=off -fno-math-errno -fno-trapping-math)
target_compile_options(rowmax_options INTERFACE ${ROWMAX_ARITHMETIC})
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O3 -g -DNDEBUG")
target_compile_definitions(rowmax_options INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE
                           ROWMAX_VERSION="${PROJECT_VERSION}")
target_compile_options(rowmax_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wformat=2
  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wvla -Wundef -Wcast-qual
  -Wwrite-strings -Wnull-dereference -Wimplicit-fallthrough
  $<$<C_COMPILER_ID:GNU>:-Wduplicated-cond> $<$<C_COMPILER_ID:GNU>:-Wlogical-op>)
if(ROWMAX_WERROR)
  target_compile_options(rowmax_options INTERFACE -Werror)
endif()
if(ROWMAX_SANITIZE)
  target_compile_options(rowmax_options INTERFACE -fsanitize=${ROWMAX_SANITIZE}
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(rowmax_options INTERFACE -fsanitize=${ROWMAX_SANITIZE})
endif()
if(ROWMAX_COVERAGE)
  # Threads count at once.
  target_compile_options(rowmax_options INTERFACE --coverage -O0 -fprofile-update=atomic)
  target_link_options(rowmax_options INTERFACE --coverage)
endif()
if(ROWMAX_FUZZ)
  target_compile_options(rowmax_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
