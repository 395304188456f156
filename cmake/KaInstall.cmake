# Install rules, and the two ways in which other projects find ka: find_package(ka), from the build
# tree and from the install tree alike, and pkg-config.

include(CMakePackageConfigHelpers)

install(DIRECTORY include/ka DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

install(TARGETS ka ka-task ka-info EXPORT kaTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(KA_BUILD_COMPILER)
  install(TARGETS kacc EXPORT kaTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# All that is installed, without tests and examples: what `cmake --install` needs to have been built.
add_custom_target(installed DEPENDS ka ka_static ka-task ka-info)
if(TARGET kacc)
  add_dependencies(installed kacc ka-clang)
endif()

set(ka_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ka)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kaConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

# In the build tree the package lies in the tree's top, so that ka_DIR=<build> finds it.
configure_package_config_file(cmake/kaConfig.cmake.in ${PROJECT_BINARY_DIR}/kaConfig.cmake
  INSTALL_DESTINATION ${PROJECT_BINARY_DIR}
  INSTALL_PREFIX ${PROJECT_BINARY_DIR})
configure_package_config_file(cmake/kaConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/kaConfig.cmake
  INSTALL_DESTINATION ${ka_package_dir})
export(EXPORT kaTargets NAMESPACE ka:: FILE ${PROJECT_BINARY_DIR}/kaTargets.cmake)
install(EXPORT kaTargets NAMESPACE ka:: DESTINATION ${ka_package_dir})
# Comes with the package: ka_add_executable().
configure_file(cmake/KaAddExecutable.cmake ${PROJECT_BINARY_DIR}/KaAddExecutable.cmake COPYONLY)
install(FILES
  cmake/KaAddExecutable.cmake
  ${PROJECT_BINARY_DIR}/install/kaConfig.cmake
  ${PROJECT_BINARY_DIR}/kaConfigVersion.cmake
  DESTINATION ${ka_package_dir})

# The prefix is where the file lies, so that a moved or staged tree still works.
file(RELATIVE_PATH ka_pc_to_prefix
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/ka.pc.in ${PROJECT_BINARY_DIR}/ka.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ka.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
