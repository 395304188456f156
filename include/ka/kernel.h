/* ka/kernel.h - what kernels see.
 *
 * A kernel is a void function marked [[ka::kernel]]. It runs once for every work-item of the range
 * it is launched with (ka_launch in ka/ka.h). Words follow OpenCL: work-items form work-groups,
 * the items of a group share group memory (`ka_local`) and meet at barriers. All ids start at 0;
 * `dim` is 0, 1 or 2; other values give id 0 and size 1.
 *
 * Everything declared here may be called from kernels and from functions that kernels call. On the
 * host the functions end the program with a message.
 *
 * printf, puts and putchar of <stdio.h> work in kernels: the text reaches stdout when the host
 * waits for the kernel (ka_synchronize, ka_event_wait), in the order in which each item printed it.
 * They return 0 (putchar: the character), or a negative number if there was no room to keep the
 * text. Vectors are printed as in OpenCL C, "%v4hlf"; the format must be a string constant.
 */
#ifndef KA_KERNEL_H
#define KA_KERNEL_H

#include <ka/abi.h>
#include <ka/sub_group.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Group memory: one copy for each work-group, shared by its items.
 *   In a kernel:     ka_local float tile[16][17];   function scope; constant initialiser allowed
 *   As a parameter:  ka_local float *scratch        sized at launch, by ka_scratch(bytes)
 * Without an initialiser the contents start undefined (zero in groups that the range fills partly).
 * Watch out: items beyond the range store nothing, so `t[ka_local_id(0)] = table[ka_local_id(0)]`
 * leaves zeros in the last group if the range is no multiple of the group size. If items work for
 * each other, launch whole groups, pass the number of elements, and check it in the kernel.
 */
#define ka_local __attribute__((__ka_local__))

/* Index of this work-item in the range, the launch's offset included. */
size_t ka_global_id(unsigned dim);
/* Index of this work-item in its group. */
size_t ka_local_id(unsigned dim);
/* Index of this group. */
size_t ka_group_id(unsigned dim);
/* Extent of the range as it was asked for at launch: not padded to whole groups. */
size_t ka_global_size(unsigned dim);
/* Extent of a group, the same for all groups: the last one is padded with items that do nothing. */
size_t ka_local_size(unsigned dim);
/* Number of groups. */
size_t ka_num_groups(unsigned dim);
/* First index of the range: what ka_with_offset asked for, else 0. */
size_t ka_global_offset(unsigned dim);

/* Linear forms; x varies fastest. The global one counts from 0 whatever the offset. */
size_t ka_global_linear_id(void);
size_t ka_local_linear_id(void);
size_t ka_group_linear_id(void);

/* Waits until every item of the group has arrived. Orders group and global memory among the items
 * of the group. Every item of the group must reach the same barrier, or none. Items beyond the
 * range count as having arrived, and do nothing else. No `if (i >= n) return;` before it: items
 * beyond the range do not exist, and in a range rounded up to whole groups only the statements
 * between the barriers stand under `if (i < n)`. */
void ka_barrier(void);

/* Before a loop of a kernel, or of a function that kernels call: one turn of the unrolled loop does
 * several of the source's.
 *   KA_UNROLL        all of them if their number is known to the compiler and the code stays of a
 *                    reasonable size, else a number of the compiler's choice
 *   KA_UNROLL_N(n)   n of them; n is a constant, and 1 keeps the loop as it is
 * It changes no result. What is left when n does not divide the turns is done by a second loop; a
 * loop with barriers is then left alone. `#pragma unroll` and `#pragma clang loop` do the same.
 * Loops with barriers and few, known turns are unrolled without being asked.
 */
#define KA_UNROLL        _Pragma("unroll")
#define KA_UNROLL_N(n)   KA__PRAGMA(clang loop unroll_count(n))
#define KA__PRAGMA(text) _Pragma(#text)

/* Stops this work-item; does not return. The launch has then failed: what waits for it
 * (ka_synchronize, events, tasks) gets KA_ERROR_KERNEL_TRAP, and the text, a string literal, the
 * place in the source, the item and its group are in the message. The first failure in a queue is
 * told. Other items go on; if the kernel has barriers, those of the same group end at the next one.
 * What the launch should have written is undefined. assert() does the same, with what it asserts as
 * the text, abort() and __builtin_trap() without one. */
void ka_trap(const char *text) __attribute__((__noreturn__, __cold__));

#ifdef __cplusplus
}
#endif
#endif
