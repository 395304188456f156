# ka_add_executable(name source...)
# ka_add_library(name [STATIC | SHARED | MODULE] source...)
#
# A program, or a library, with kernels. Its C files are compiled by kacc, whatever compiler the
# project uses for the rest, and it is linked with libka. Other sources, headers for example, are
# what they are to add_executable and add_library.
#
#   find_package(ka REQUIRED)
#   ka_add_executable(saxpy saxpy.c saxpy.h)
#   target_link_libraries(saxpy PRIVATE m)
#
# Include directories, definitions and options of the target and of what it links to apply as usual,
# CMAKE_C_FLAGS too, and the properties C_STANDARD, C_EXTENSIONS and, for libraries,
# POSITION_INDEPENDENT_CODE. What target_compile_features asks for, C_VISIBILITY_PRESET and properties
# of source files do not reach kacc, and compile_commands.json does not list the C files: where that
# matters, make kacc the project's compiler.

# Has kacc compile the C files among the sources of the target `name`; sets `files` to what there is
# for add_executable or add_library. What follows are more options, for all of them.
function(ka__compile name sources files)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}")
  # In ka's own build the plugin is a target, of which the objects must be newer.
  set(plugin)
  if(TARGET ka-clang)
    set(plugin ka-clang)
  endif()
  # The system's own directory, named once more, would come before the compiler's.
  set(includes "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
  set(includes "$<REMOVE_DUPLICATES:$<FILTER:${includes},EXCLUDE,^/usr/include$>>")
  set(definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  # As for CMake's own compilers, GNU's extensions are there unless they are switched off.
  set(standard "$<TARGET_PROPERTY:${name},C_STANDARD>")
  set(extensions "$<TARGET_PROPERTY:${name},C_EXTENSIONS>")
  set(extensions "$<OR:$<STREQUAL:${extensions},>,$<BOOL:${extensions}>>")

  set(result)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "^[^$].*\\.c$")
      list(APPEND result ${source})
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET source FILENAME file)
    string(SHA1 unique "${path}")
    string(SUBSTRING "${unique}" 0 8 unique)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.ka/${unique})
    set(object ${folder}/${file}.o)
    # Ninja makes it by itself, make does not.
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${object}
      COMMAND ka::kacc ${flags} ${ARGN}
        "$<$<BOOL:${standard}>:-std=$<IF:${extensions},gnu,c>${standard}>"
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
    list(APPEND result ${object})
  endforeach()
  set(${files} ${result} PARENT_SCOPE)
endfunction()

# libka-task, and with it libuv, only for programs that use tasks; the runtime of blocks, which need not be
# there, only for those that use blocks.
function(ka__link name scope)
  find_library(KA_BLOCKS_LIBRARY BlocksRuntime)
  mark_as_advanced(KA_BLOCKS_LIBRARY)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_link_libraries(${name} ${scope}
    -Wl,--push-state,--as-needed ka::ka-task "$<$<BOOL:${KA_BLOCKS_LIBRARY}>:${KA_BLOCKS_LIBRARY}>"
    -Wl,--pop-state ka::ka)
endfunction()

function(ka_add_executable name)
  ka__compile(${name} "${ARGN}" files)
  add_executable(${name} ${files})
  ka__link(${name} PRIVATE)
endfunction()

function(ka_add_library name)
  set(sources ${ARGN})
  list(GET sources 0 type)
  if(type MATCHES "^(STATIC|SHARED|MODULE)$")
    list(POP_FRONT sources)
  elseif(BUILD_SHARED_LIBS)
    set(type SHARED)
  else()
    set(type STATIC)
  endif()
  set(options)
  if(NOT type STREQUAL STATIC)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    set(options -fPIC -D${identifier}_EXPORTS)
  endif()
  ka__compile(${name} "${sources}" files ${options}
    "$<$<BOOL:$<TARGET_PROPERTY:${name},POSITION_INDEPENDENT_CODE>>:-fPIC>")
  add_library(${name} ${type} ${files})
  # A static library is linked by whoever uses it, who then needs libka as well.
  ka__link(${name} PUBLIC)
endfunction()
