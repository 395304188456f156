# Finds LLVM, Clang and the SPIR-V translator, all as shared libraries, and wraps each in a target:
#
#   ka::llvm        libLLVM
#   ka::clang       libclang-cpp, with libLLVM
#   ka::llvmspirv   libLLVMSPIRVLib, with libLLVM
#
# The plugin is loaded into clang, so it must be built against clang's own LLVM. KA_LLVM_VERSION is
# its major version; kacc runs clang-${KA_LLVM_VERSION}, found in ${LLVM_TOOLS_BINARY_DIR}.

set(ka_llvm_oldest 19)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  string(REGEX MATCH "^[0-9]+" ka_llvm_wanted "${CMAKE_CXX_COMPILER_VERSION}")
else()
  set(ka_llvm_wanted ${ka_llvm_oldest})
endif()

find_package(LLVM CONFIG QUIET HINTS /usr/lib/llvm-${ka_llvm_wanted})
if(NOT LLVM_FOUND OR LLVM_VERSION_MAJOR LESS ka_llvm_oldest)
  message(FATAL_ERROR "ka needs LLVM ${ka_llvm_oldest} or later with its headers "
    "(Debian: llvm-19-dev, libclang-19-dev); tools/dev/enter gives an environment that has it. "
    "Pass -DLLVM_DIR=… if it is somewhere else, or -DKA_BUILD_COMPILER=OFF for the runtime alone.")
endif()
set(KA_LLVM_VERSION ${LLVM_VERSION_MAJOR})
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

function(ka_llvm_library target)
  cmake_parse_arguments(arg "" "HEADER" "NAMES" ${ARGN})
  find_library(KA_${target}_LIBRARY NAMES ${arg_NAMES} HINTS ${LLVM_LIBRARY_DIR})
  find_path(KA_${target}_INCLUDE_DIR ${arg_HEADER} HINTS ${LLVM_INCLUDE_DIRS})
  mark_as_advanced(KA_${target}_LIBRARY KA_${target}_INCLUDE_DIR)
  if(NOT KA_${target}_LIBRARY OR NOT KA_${target}_INCLUDE_DIR)
    list(JOIN arg_NAMES " or " names)
    message(FATAL_ERROR "LLVM ${LLVM_PACKAGE_VERSION} is there, but not its library ${names} "
      "with the header ${arg_HEADER}.")
  endif()
  # The headers are the system's: their warnings are not ours.
  add_library(ka::${target} INTERFACE IMPORTED)
  target_include_directories(ka::${target} SYSTEM INTERFACE ${KA_${target}_INCLUDE_DIR})
  target_link_libraries(ka::${target} INTERFACE ${KA_${target}_LIBRARY})
endfunction()

ka_llvm_library(llvm NAMES LLVM-${KA_LLVM_VERSION} LLVM HEADER llvm/IR/Module.h)
ka_llvm_library(clang NAMES clang-cpp HEADER clang/AST/ASTConsumer.h)
ka_llvm_library(llvmspirv NAMES LLVMSPIRVLib HEADER LLVMSPIRVLib/LLVMSPIRVLib.h)
target_compile_definitions(ka::llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_link_libraries(ka::clang INTERFACE ka::llvm)
target_link_libraries(ka::llvmspirv INTERFACE ka::llvm)

# LLVM's own rules for code that is linked with it: no exceptions, no RTTI.
add_library(ka-compiler-options INTERFACE)
target_compile_options(ka-compiler-options INTERFACE -fno-exceptions -fno-rtti -Wno-shadow
  -Wno-unused-parameter)
add_library(ka::compiler-options ALIAS ka-compiler-options)
