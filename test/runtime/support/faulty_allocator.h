/* Lets the allocations of libka and libka-task fail, and no others: the tests that use it are
 * linked with copies of them whose calls of malloc and the like are renamed (see CMakeLists.txt).
 */
#ifndef KA_TEST_RUNTIME_SUPPORT_FAULTY_ALLOCATOR_H
#define KA_TEST_RUNTIME_SUPPORT_FAULTY_ALLOCATOR_H

#include <stdbool.h>

/* Calls so far, of all threads. */
int faulty_allocations(void);
/* What mmap gave and munmap has not taken back. */
int faulty_mappings(void);
/* Counts one more call, and says whether it is to fail. */
bool faulty_fails(void);

/* The allocation with this number fails, counted from the next one, which is 1. 0: none. */
void faulty_allocation_at(int number);

#endif
