# The commit and the flags of a build, as a source that room_cli is linked with. Included by CMakeLists.txt it
# makes a target that looks at each build and compiles that one source anew when something changed;
# run as a script (cmake -DSOURCE=... -DOUT=... -P commit.cmake) it writes the source. Never fatal:
# what cannot be known is stated with the reason.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  # What matters to numbers: optimisation, -f and -m options and definitions, no warnings, no folders.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}")
  list(APPEND flags ${ROWMAX_ARITHMETIC})
  if(ROWMAX_SANITIZE)
    list(APPEND flags -fsanitize=${ROWMAX_SANITIZE})
  endif()
  if(ROWMAX_COVERAGE)
    list(APPEND flags --coverage)
  endif()
  list(FILTER flags INCLUDE REGEX "^-(O|f|m|D|-coverage)")
  list(FILTER flags EXCLUDE REGEX "prefix-map=|-DNDEBUG$")
  list(JOIN flags " " flags)
  if(CMAKE_BUILD_TYPE)
    set(flags "${CMAKE_BUILD_TYPE}: ${flags}")
  endif()
  set(commit_source ${CMAKE_BINARY_DIR}/generated/commit.c)
  add_custom_target(rowmax_commit
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUT=${commit_source} -DFLAGS=${flags}
      -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${commit_source} VERBATIM)
  target_sources(room_cli PRIVATE ${commit_source})
  add_dependencies(room_cli rowmax_commit)
  return()
endif()

foreach(variable GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE)
  unset(ENV{${variable}})
endforeach()
set(ENV{LC_ALL} C)

# Sets `answer`, and `reason` when git does not give one.
function(ask)
  execute_process(COMMAND git --no-optional-locks -C ${SOURCE} ${ARGN} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE trouble OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(reason "")
  if("${trouble}" MATCHES "dubious ownership|unsafe repository")
    set(reason "git refuses a folder of another owner")
  elseif(NOT "${status}" MATCHES "^-?[0-9]+$")
    set(reason "no git here")
  elseif(NOT status EQUAL 0)
    set(reason "git names no commit")
  endif()
  set(answer "${output}" PARENT_SCOPE)
  set(reason "${reason}" PARENT_SCOPE)
endfunction()

set(reason "no git checkout")
if(EXISTS ${SOURCE}/.git)
  ask(rev-parse --short=12 HEAD)
  set(commit "${answer}")
  if(NOT reason)
    # What is compiled alone: a report that is written anew, or a sweep, does not change the program.
    ask(status --porcelain --untracked-files=no -- src cmake CMakeLists.txt)
    if(answer)
      string(APPEND commit "-dirty")
    endif()
  endif()
endif()
if(reason)
  set(commit "unknown (${reason})")
endif()
string(REGEX REPLACE "[\\\"\n]" "" commit "${commit}")
string(REGEX REPLACE "[\\\"\n]" "" FLAGS "${FLAGS}")
# A file that stays the same keeps its time, so nothing is compiled.
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
/* SPDX-License-Identifier: MIT */
/* Written by cmake/commit.cmake at each build. */
#include "cli/cli_internal.h"

const char *const build_commit = "@commit@";
const char *const build_flags = "@FLAGS@";
]])
