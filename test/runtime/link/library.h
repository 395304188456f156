/* A kernel that library.c defines. */
#ifndef KA_TEST_LINK_LIBRARY_H
#define KA_TEST_LINK_LIBRARY_H

#include <ka/ka.h>

/* Adds `by` to each element, `rounds` times. */
[[ka::kernel]] void count_up(int *p, int by, long rounds);

#endif
