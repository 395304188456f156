# Languages, warnings and sanitizers, the same for every target.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
# -g1 keeps line numbers in backtraces; full debug information of the LLVM headers would cost more
# time and disk than everything else in the build.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

# Binaries do not name the folder in which they were built, which with a compiler cache may be
# another one. A debugger, though, is to find the sources from anywhere.
if(NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wpointer-arith -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(KA_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()

# With colours only on a terminal, Ninja would always have none.
set(CMAKE_COLOR_DIAGNOSTICS ON)

if(KA_SANITIZE)
  add_compile_options(-fsanitize=${KA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${KA_SANITIZE})
else()
  # A shared library with a missing symbol fails here, not in a user's program. The sanitizers'
  # symbols come from the program, so the check is for plain builds.
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-Wl,--no-undefined>)
endif()

find_program(KA_CCACHE ccache)
mark_as_advanced(KA_CCACHE)
if(KA_CCACHE)
  foreach(lang C CXX)
    if(NOT DEFINED CMAKE_${lang}_COMPILER_LAUNCHER)
      set(CMAKE_${lang}_COMPILER_LAUNCHER ${KA_CCACHE})
    endif()
  endforeach()
endif()
