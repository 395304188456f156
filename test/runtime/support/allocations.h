/* Counts calls of malloc, calloc and realloc by libka, libka-task and the test itself; the test is
 * linked with
 * --wrap for the three. */
#ifndef KA_TEST_RUNTIME_SUPPORT_ALLOCATIONS_H
#define KA_TEST_RUNTIME_SUPPORT_ALLOCATIONS_H

#include <stdatomic.h>

extern _Atomic long test_allocations;

#endif
