# Where things lie in the build tree: just as when installed, relative to each other, so that kacc
# finds its plugin, libka and the headers from its own place in both.
#
#   bin/kacc, bin/ka-info
#   lib/libka.so
#   lib/ka/<plugin>     always here, also where the distribution has a lib/<architecture>
#   include/ka -> the source tree's headers

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_BINDIR})
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
# The plugin's folder, below the prefix and in the build tree.
set(KA_PLUGIN_INSTALL_DIR lib/ka)
set(KA_PLUGIN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${KA_PLUGIN_INSTALL_DIR})

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_INCLUDEDIR})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/ka
  ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_INCLUDEDIR}/ka SYMBOLIC)

# Installed programs and libraries find libka beside themselves, wherever the prefix is.
file(RELATIVE_PATH ka_bin_to_lib
  /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
set(CMAKE_INSTALL_RPATH "$ORIGIN/${ka_bin_to_lib}")
