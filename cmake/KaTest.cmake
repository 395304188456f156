# ka_test(NAME <label>.<name> COMMAND ... [LABELS ...] [TIMEOUT seconds] [ENVIRONMENT NAME=value ...])
#
# A ctest test. The part of the name before the dot is its first label: compiler, runtime,
# conformance, examples, docs, package or style. Every test has a time-out; the default is short,
# because a test that hangs should say so soon.
function(ka_test)
  cmake_parse_arguments(arg "" "NAME;TIMEOUT" "COMMAND;LABELS;ENVIRONMENT" ${ARGN})
  if(NOT arg_NAME MATCHES "^([a-z]+)\\.")
    message(FATAL_ERROR "ka_test: the name '${arg_NAME}' has no 'label.' in front")
  endif()
  set(label ${CMAKE_MATCH_1})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND})
  set_tests_properties(${arg_NAME} PROPERTIES
    TIMEOUT ${arg_TIMEOUT}
    LABELS "${label};${arg_LABELS}"
    SKIP_RETURN_CODE 77
    ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()
