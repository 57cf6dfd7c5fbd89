# Read by cpack before it packs: without these programs it fails without a remedy, or makes a package that names no library
# it needs.
foreach(tool file dpkg-shlibdeps)
  find_program(TOOL_${tool} ${tool})
  if(NOT TOOL_${tool})
    message(FATAL_ERROR "'${tool}' is missing, which finds out what the package needs; 'scripts/setup package' installs it")
  endif()
endforeach()
