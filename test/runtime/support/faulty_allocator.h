/* Lets the allocations of libka fail, and no others: the tests that use it are linked with a copy
 * of libka whose calls of malloc and the like are renamed (see CMakeLists.txt). */
#ifndef KA_TEST_RUNTIME_SUPPORT_FAULTY_ALLOCATOR_H
#define KA_TEST_RUNTIME_SUPPORT_FAULTY_ALLOCATOR_H

/* Calls so far, of all threads. */
int faulty_allocations(void);

/* The allocation with this number fails, counted from the next one, which is 1. 0: none. */
void faulty_allocation_at(int number);

#endif
