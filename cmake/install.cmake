# What `cmake --install` puts under a prefix and `cpack` into a package for Debian. The program finds its data relative
# to itself (base/data_folder.c), so the tree may be moved.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(data ${CMAKE_INSTALL_DATADIR}/rowmax)
install(TARGETS rowmax RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY corpora experiments DESTINATION ${data})
# As in the checkout, so that the pages find each other: what they name beside them is linked.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.yml" PATTERN "*.svg"
  PATTERN schema EXCLUDE)
install(DIRECTORY reports/scale-guards DESTINATION ${CMAKE_INSTALL_DOCDIR}/reports)
function(install_link name target)
  set(path "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/${name}")
  install(CODE "file(CREATE_LINK ${target} \"${path}\" SYMBOLIC)")
endfunction()
install_link(corpora ../../rowmax/corpora)
install_link(experiments ../../rowmax/experiments)
install_link(docs/schema ../../../rowmax/docs/schema)
# Where the experiments name it: ../docs/schema.
install(DIRECTORY docs/schema DESTINATION ${data}/docs)
install(FILES cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install_link(LICENSE copyright)
if(HDF5_NOTICE)
  install(FILES ${HDF5_NOTICE} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright.hdf5)
endif()

# Sources and tests are not installed.
install(CODE "set(SOURCE \"${CMAKE_SOURCE_DIR}\")
  set(FOLDER \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")
  include(\"${CMAKE_SOURCE_DIR}/cmake/installed_pages.cmake\")")

# Compressed, as manuals are; without a date, so that a build makes the same bytes again.
find_program(GZIP gzip REQUIRED)
function(install_compressed source name destination)
  set(packed ${CMAKE_BINARY_DIR}/generated/${name}.gz)
  add_custom_command(OUTPUT ${packed} COMMAND ${GZIP} -9nc ${source} > ${packed} DEPENDS ${source} VERBATIM)
  add_custom_target(compress_${name} ALL DEPENDS ${packed})
  install(FILES ${packed} DESTINATION ${destination})
endfunction()
configure_file(cmake/debian/changelog ${CMAKE_BINARY_DIR}/generated/changelog.in @ONLY)
install_compressed(${CMAKE_SOURCE_DIR}/docs/rowmax.1 rowmax.1 ${CMAKE_INSTALL_MANDIR}/man1)
install_compressed(${CMAKE_BINARY_DIR}/generated/changelog.in changelog ${CMAKE_INSTALL_DOCDIR})

# What the program itself prints, where it has the command: "COMMAND ARGUMENT|FOLDER|NAME".
set(printed "completion bash|bash-completion/completions|rowmax" "completion zsh|zsh/functions|_rowmax"
  "completion fish|fish/vendor_completions.d|rowmax.fish")
foreach(line IN LISTS printed)
  string(REPLACE "|" ";" parts "${line}")
  list(GET parts 0 command)
  list(GET parts 1 folder)
  list(GET parts 2 name)
  string(REPLACE " " ";" command "${command}")
  set(printed_file ${CMAKE_BINARY_DIR}/generated/printed/${folder}/${name})
  install(CODE "
    get_filename_component(folder ${printed_file} DIRECTORY)
    file(MAKE_DIRECTORY \${folder})
    execute_process(COMMAND $<TARGET_FILE:rowmax> ${command} OUTPUT_FILE ${printed_file} ERROR_VARIABLE trouble
      RESULT_VARIABLE status)
    set(folder ${folder})
    if(folder MATCHES zsh)
      # Debian's zsh looks in one folder for packages, in another for what an administrator installs.
      set(folder zsh/site-functions)
      if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
        set(folder zsh/vendor-completions)
      endif()
    endif()
    if(status EQUAL 0)
      file(INSTALL ${printed_file} DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/\${folder})
    elseif(NOT status EQUAL 2)
      message(FATAL_ERROR \"rowmax ${command}: \${status} \${trouble}\")
    endif()")
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/package_tools.cmake)
set(CPACK_PACKAGE_NAME rowmax)
set(CPACK_PACKAGE_VENDOR "the rowmax authors")
set(CPACK_PACKAGE_CONTACT "the rowmax authors <maintainers@users.noreply.a-seed-866280d5.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# A report needs gnuplot with its terminals for PNG and PDF, and a font: without one gnuplot draws no text and says nothing.
# OpenBLAS and ARPACK are loaded by name, which shlibdeps does not see.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libopenblas0, libarpack2, gnuplot-nox | gnuplot, fonts-dejavu-core | fonts-freefont-ttf | fonts-liberation")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-unifont")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-h5py, python3-xarray, slurm-client")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sweeps of attention heads that show where softmax saturates")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "A row of attention is saturated when softmax puts nearly all of its weight
on one token, so that no gradient is left to correct it. rowmax runs an
attention head over a sweep of settings, measures score spread, row-max and
gradient exactly, and tells which of three guards ends the saturation.
.
It reads a sweep in YAML, writes an HDF5 file and a report with figures, and
compares nights with a baseline. Corpora and experiments are included.")
include(CPack)
