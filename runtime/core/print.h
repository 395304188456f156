/* What kernels print: records of ka/abi.h's print buffer, written out by the host's own printf. */
#ifndef KA_RUNTIME_CORE_PRINT_H
#define KA_RUNTIME_CORE_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the records in `bytes` bytes at `records`, in order, up to the first one that is not there
 * yet, and returns how many bytes it has gone through. The text of a record is never torn by
 * what other threads print. A kernel that stores where it should not may have damaged anything
 * there: then *damaged is set, and the rest is left out. */
size_t ka__print_records(FILE *file, const char *records, size_t bytes, bool *damaged);

#endif
