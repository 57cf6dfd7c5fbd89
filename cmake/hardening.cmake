# What makes a fault of memory end the program instead of serving whoever sent the file; docs/security.md says what each
# option does, tests/style/hardening.sh reads it back from the program. None of them changes a number.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
target_compile_options(rowmax_options INTERFACE -fstack-protector-strong -Wformat-security)
target_link_options(rowmax_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
# No search path in the program: CMake pads the one of a build with an empty entry, which is the current folder, so that
# a library there would be loaded. Libraries that the system does not find itself: -DCMAKE_INSTALL_RPATH=FOLDER.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
include(CheckCCompilerFlag)
foreach(flag stack-clash-protection cf-protection)
  check_c_compiler_flag(-f${flag} HAS_${flag})
  if(HAS_${flag})
    target_compile_options(rowmax_options INTERFACE -f${flag})
  endif()
endforeach()
# Needs optimisation, and sanitizers watch the same calls themselves. Level 3 sees sizes that are known at run time only.
if(NOT ROWMAX_SANITIZE AND NOT ROWMAX_COVERAGE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    set(fortify 3)
  else()
    set(fortify 2)
  endif()
  target_compile_options(rowmax_options INTERFACE -U_FORTIFY_SOURCE
    "$<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${fortify}>")
endif()
