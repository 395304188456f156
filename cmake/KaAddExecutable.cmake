# ka_add_executable(name source...)
#
# A program with kernels. Its C files are compiled by kacc, whatever compiler the project uses for
# the rest, and the program is linked with libka. Include directories, definitions and options of the
# target and of what it links to apply as usual:
#
#   find_package(ka REQUIRED)
#   ka_add_executable(saxpy saxpy.c)
#   target_link_libraries(saxpy PRIVATE m)
function(ka_add_executable name)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}")
  # In ka's own build the plugin is a target, of which the objects must be newer.
  set(plugin)
  if(TARGET ka-clang)
    set(plugin ka-clang)
  endif()

  set(objects)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET source FILENAME file)
    string(SHA1 unique "${path}")
    string(SUBSTRING "${unique}" 0 8 unique)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.ka/${unique})
    set(object ${folder}/${file}.o)
    # Ninja makes it by itself, make does not.
    file(MAKE_DIRECTORY ${folder})
    # The system's own directory, named once more, would come before the compiler's.
    set(includes "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
    set(includes "$<REMOVE_DUPLICATES:$<FILTER:${includes},EXCLUDE,^/usr/include$>>")
    set(definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
    add_custom_command(
      OUTPUT ${object}
      COMMAND ka::kacc ${flags}
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        "$<TARGET_PROPERTY:${name},COMPILE_OPTIONS>"
        -MD -MF ${object}.d -c ${path} -o ${object}
      DEPENDS ${path} ka::kacc ${plugin}
      DEPFILE ${object}.d
      COMMENT "Compiling ${file} with kacc"
      COMMAND_EXPAND_LISTS
      VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    list(APPEND objects ${object})
  endforeach()

  add_executable(${name} ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  # libka-task, and with it libuv, only for programs that use tasks.
  target_link_libraries(${name} PRIVATE
    -Wl,--push-state,--as-needed ka::ka-task -Wl,--pop-state ka::ka)
endfunction()
