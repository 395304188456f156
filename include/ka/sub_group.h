/* ka/sub_group.h - sub-groups, and functions that the items of a group compute together. Part of
 * ka/kernel.h.
 *
 * The items of a group, in the order of ka_local_linear_id(), form sub-groups of
 * ka_sub_group_size() items; an item's place in its sub-group is its lane. The last sub-group of a
 * group may have fewer items than lanes. Items beyond the range, and lanes without an item, do not
 * exist: they have no vote, add nothing to sums, and what is fetched from them is zero.
 *
 * Every item of the group must reach a call of these functions, or none, as with ka_barrier(): the
 * compiler refuses calls under a condition that can differ between items. So write
 * `s = ka_sub_group_reduce_add(x); if (cond) use(s);`. Only the barrier orders memory.
 *
 * They work on every device and need nothing that ka_device_info() tells of sub-groups: where no
 * functions of the device's own are used, items exchange values through group memory. The size is
 * then 32, and a launch takes as much more group memory for each item as the largest value that its
 * kernel exchanges; ka_kernel_info() says both.
 */
#ifndef KA_SUB_GROUP_H
#define KA_SUB_GROUP_H

#include <ka/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lanes of a sub-group: a power of two from 1 to 64, the same for all sub-groups of a launch, no
 * more than it takes to hold the group. To count the items that are there, count the bits of
 * ka_sub_group_ballot(true). */
size_t ka_sub_group_size(void);
/* The same for large groups: a constant of the kernel. */
size_t ka_sub_group_max_size(void);
/* Sub-groups in the group. */
size_t ka_sub_group_count(void);
/* Index of this item's sub-group in the group. */
size_t ka_sub_group_id(void);
/* Index of this item in its sub-group. */
size_t ka_sub_group_lane(void);

/* Waits until every item of the sub-group has arrived. Orders group and global memory among the
 * items of the sub-group. */
void ka_sub_group_barrier(void);

/* Votes, over the items that exist: whether the condition holds for one of them, for all, for
 * which (bit n for lane n). */
bool ka_sub_group_any(bool condition);
bool ka_sub_group_all(bool condition);
uint64_t ka_sub_group_ballot(bool condition);
bool ka_group_any(bool condition);
bool ka_group_all(bool condition);

/* What the macros below become. */
enum ka__shuffle_mode { KA__SHUFFLE_LANE, KA__SHUFFLE_UP, KA__SHUFFLE_DOWN, KA__SHUFFLE_XOR };
enum ka__combine_operation { KA__ADD, KA__MIN, KA__MAX, KA__AND, KA__OR, KA__XOR };
enum ka__combine_form {
  KA__WHOLE_GROUP = 1,
  KA__SCAN = 2,
  KA__EXCLUSIVE = 4 /* with KA__SCAN */
};
/* A type: one of these, and its bytes in the bits above. */
enum ka__value_class { KA__SIGNED = 1, KA__UNSIGNED = 2, KA__FLOATING = 3 };
#define KA__VALUE_TYPE(class, type) ((unsigned)(class) | (unsigned)sizeof(type) << 8)

void ka__sub_group_shuffle(void *value, size_t bytes, unsigned mode, unsigned lane, unsigned width);
uint64_t ka__sub_group_match(const void *value, unsigned type);
void ka__combine(void *value, unsigned type, unsigned operation, unsigned form);

#ifdef __cplusplus
}
#endif

/* The integer types, and the floating types: X(type, class). */
#define KA__INTEGER_VALUES(X)                                                                      \
  X(signed char, KA__SIGNED)                                                                       \
  X(unsigned char, KA__UNSIGNED)                                                                   \
  X(short, KA__SIGNED)                                                                             \
  X(unsigned short, KA__UNSIGNED)                                                                  \
  X(int, KA__SIGNED)                                                                               \
  X(unsigned, KA__UNSIGNED)                                                                        \
  X(long, KA__SIGNED)                                                                              \
  X(unsigned long, KA__UNSIGNED)                                                                   \
  X(long long, KA__SIGNED)                                                                         \
  X(unsigned long long, KA__UNSIGNED)
#ifdef __FLT16_MAX__
/* No complaint about a type that C did not always have. */
__extension__ typedef _Float16 ka__half_value;
#define KA__FLOATING_VALUES(X)                                                                     \
  X(ka__half_value, KA__FLOATING) X(float, KA__FLOATING) X(double, KA__FLOATING)
#else
#define KA__FLOATING_VALUES(X) X(float, KA__FLOATING) X(double, KA__FLOATING)
#endif
#define KA__PLAIN_CHAR_CLASS ((char)-1 < 0 ? KA__SIGNED : KA__UNSIGNED)

#ifdef __cplusplus

/* Operation and form must be constants where ka__combine is called, hence the parameters of
 * templates. */
template <unsigned mode, class T> inline T ka__shuffled(T value, unsigned lane, size_t width) {
  ka__sub_group_shuffle(&value, sizeof value, mode, lane, (unsigned)width);
  return value;
}
#define KA__SHUFFLE(value, mode, lane, width) ka__shuffled<mode>((value), (lane), (width))

/* One overload a type; for others the one that takes anything fits best, and is an error. */
#define KA__COMBINED(type, class)                                                                  \
  template <unsigned operation, unsigned form> inline type ka__combined(type value) {              \
    ka__combine(&value, KA__VALUE_TYPE(class, type), operation, form);                             \
    return value;                                                                                  \
  }                                                                                                \
  inline uint64_t ka__matched(type value) {                                                        \
    return ka__sub_group_match(&value, KA__VALUE_TYPE(class, type));                               \
  }
KA__INTEGER_VALUES(KA__COMBINED)
KA__FLOATING_VALUES(KA__COMBINED)
KA__COMBINED(char, KA__PLAIN_CHAR_CLASS)
#undef KA__COMBINED
#define KA__INTEGER_COMBINED(type, class)                                                          \
  template <unsigned operation, unsigned form> inline type ka__bits_combined(type value) {         \
    return ka__combined<operation, form>(value);                                                   \
  }
KA__INTEGER_VALUES(KA__INTEGER_COMBINED)
KA__INTEGER_COMBINED(char, KA__PLAIN_CHAR_CLASS)
#undef KA__INTEGER_COMBINED
#ifdef __clang__
#define KA__ERROR(text) __attribute__((unavailable(text)))
#else
#define KA__ERROR(text) /* not known to all, which compile no kernels */
#endif
template <unsigned operation, unsigned form, class T>
KA__ERROR("it takes _Float16, float, double and all integers but bool")
T ka__combined(T);
template <unsigned operation, unsigned form, class T>
KA__ERROR("it takes all integers but bool")
T ka__bits_combined(T);
template <class T>
KA__ERROR("it takes _Float16, float, double and all integers but bool")
uint64_t ka__matched(T);
#undef KA__ERROR
#define KA__COMBINE(value, operation, form)      (ka__combined<operation, form>((value)))
#define KA__COMBINE_BITS(value, operation, form) (ka__bits_combined<operation, form>((value)))
#define KA__MATCH(value)                         ka__matched(value)

#else

/* For a type that a function does not take: no number, so an error of the C compiler, whose text
 * has the name of the structure. */
struct ka_this_takes_integers_other_than_bool {
  char none;
};
struct ka_this_takes_floating_numbers_and_integers_other_than_bool {
  char none;
};

/* The type of a value, a constant. */
#define KA__CASE(type, class) , type : KA__VALUE_TYPE(class, type)
#define KA__INTEGER_TYPE(value)                                                                    \
  _Generic((value),                                                                                \
      char: KA__VALUE_TYPE(KA__PLAIN_CHAR_CLASS, char) KA__INTEGER_VALUES(KA__CASE),               \
      default: (struct ka_this_takes_integers_other_than_bool){0})
#define KA__NUMBER_TYPE(value)                                                                     \
  _Generic((value),                                                                                \
      char: KA__VALUE_TYPE(KA__PLAIN_CHAR_CLASS, char) KA__INTEGER_VALUES(KA__CASE)                \
          KA__FLOATING_VALUES(KA__CASE),                                                           \
      default: (struct ka_this_takes_floating_numbers_and_integers_other_than_bool){0})

/* A copy of a value has a name of its own each time, since the value may contain such a copy. */
#define KA__JOINED(a, b) a##b
#define KA__JOIN(a, b)   KA__JOINED(a, b)
#define KA__COPY_NAME    KA__JOIN(ka__copy_, __COUNTER__)
#define KA__SHUFFLE(value, mode, lane, width)                                                      \
  KA__SHUFFLE_COPY(KA__COPY_NAME, value, mode, lane, width)
#define KA__SHUFFLE_COPY(copy, value, mode, lane, width)                                           \
  __extension__({                                                                                  \
    __auto_type copy = (value);                                                                    \
    ka__sub_group_shuffle(&copy, sizeof copy, mode, (lane), (unsigned)(width));                    \
    copy;                                                                                          \
  })
#define KA__COMBINE(value, operation, form)                                                        \
  KA__COMBINE_COPY(KA__COPY_NAME, value, KA__NUMBER_TYPE, operation, form)
#define KA__COMBINE_BITS(value, operation, form)                                                   \
  KA__COMBINE_COPY(KA__COPY_NAME, value, KA__INTEGER_TYPE, operation, form)
#define KA__COMBINE_COPY(copy, value, type, operation, form)                                       \
  __extension__({                                                                                  \
    __auto_type copy = (value);                                                                    \
    ka__combine(&copy, type(copy), operation, form);                                               \
    copy;                                                                                          \
  })
#define KA__MATCH(value) KA__MATCH_COPY(KA__COPY_NAME, value)
#define KA__MATCH_COPY(copy, value)                                                                \
  __extension__({                                                                                  \
    __auto_type copy = (value);                                                                    \
    ka__sub_group_match(&copy, KA__NUMBER_TYPE(copy));                                             \
  })

#endif

/* The value that another item of the sub-group passes: the one in `lane`, in this lane - n, in this
 * lane + n, in this lane ^ mask. The value may have any arithmetic type, pointer, vector, structure
 * or union type; the result has the same.
 *
 * `width`, a power of two up to ka_sub_group_size(), divides the sub-group into parts that keep to
 * themselves: `lane` counts from the start of the part, modulo the width. Where lane - n, lane + n
 * or lane ^ mask lies outside of the part, an item gets its own value back. A lane without an item
 * gives zero. */
#define ka_sub_group_shuffle(value, lane)                                                          \
  ka_sub_group_shuffle_width(value, lane, ka_sub_group_size())
#define ka_sub_group_shuffle_up(value, n)                                                          \
  ka_sub_group_shuffle_up_width(value, n, ka_sub_group_size())
#define ka_sub_group_shuffle_down(value, n)                                                        \
  ka_sub_group_shuffle_down_width(value, n, ka_sub_group_size())
#define ka_sub_group_shuffle_xor(value, mask)                                                      \
  ka_sub_group_shuffle_xor_width(value, mask, ka_sub_group_size())
#define ka_sub_group_shuffle_width(value, lane, width)                                             \
  KA__SHUFFLE(value, KA__SHUFFLE_LANE, lane, width)
#define ka_sub_group_shuffle_up_width(value, n, width) KA__SHUFFLE(value, KA__SHUFFLE_UP, n, width)
#define ka_sub_group_shuffle_down_width(value, n, width)                                           \
  KA__SHUFFLE(value, KA__SHUFFLE_DOWN, n, width)
#define ka_sub_group_shuffle_xor_width(value, mask, width)                                         \
  KA__SHUFFLE(value, KA__SHUFFLE_XOR, mask, width)

/* Which items of the sub-group pass a value of the same bits: bit n for lane n. The value has an
 * integer or floating type; see below. */
#define ka_sub_group_match_any(value) KA__MATCH(value)

/* The sum, least, largest, bitwise and, or, exclusive or of what all items of the sub-group or
 * group pass. The value has an integer type, other than bool, or, for the first three, _Float16,
 * float or double; the result has the same, and integer sums wrap around. Values are taken in the
 * order of the items, one after the other, so that floating sums are the same at each run. Of a
 * NaN and a number, min and max take the number. */
#define ka_sub_group_reduce_add(value) KA__COMBINE(value, KA__ADD, 0)
#define ka_sub_group_reduce_min(value) KA__COMBINE(value, KA__MIN, 0)
#define ka_sub_group_reduce_max(value) KA__COMBINE(value, KA__MAX, 0)
#define ka_sub_group_reduce_and(value) KA__COMBINE_BITS(value, KA__AND, 0)
#define ka_sub_group_reduce_or(value)  KA__COMBINE_BITS(value, KA__OR, 0)
#define ka_sub_group_reduce_xor(value) KA__COMBINE_BITS(value, KA__XOR, 0)
#define ka_group_reduce_add(value)     KA__COMBINE(value, KA__ADD, KA__WHOLE_GROUP)
#define ka_group_reduce_min(value)     KA__COMBINE(value, KA__MIN, KA__WHOLE_GROUP)
#define ka_group_reduce_max(value)     KA__COMBINE(value, KA__MAX, KA__WHOLE_GROUP)
#define ka_group_reduce_and(value)     KA__COMBINE_BITS(value, KA__AND, KA__WHOLE_GROUP)
#define ka_group_reduce_or(value)      KA__COMBINE_BITS(value, KA__OR, KA__WHOLE_GROUP)
#define ka_group_reduce_xor(value)     KA__COMBINE_BITS(value, KA__XOR, KA__WHOLE_GROUP)

/* The same over the items up to this one, it included. */
#define ka_sub_group_scan_add(value) KA__COMBINE(value, KA__ADD, KA__SCAN)
#define ka_sub_group_scan_min(value) KA__COMBINE(value, KA__MIN, KA__SCAN)
#define ka_sub_group_scan_max(value) KA__COMBINE(value, KA__MAX, KA__SCAN)
#define ka_sub_group_scan_and(value) KA__COMBINE_BITS(value, KA__AND, KA__SCAN)
#define ka_sub_group_scan_or(value)  KA__COMBINE_BITS(value, KA__OR, KA__SCAN)
#define ka_sub_group_scan_xor(value) KA__COMBINE_BITS(value, KA__XOR, KA__SCAN)
#define ka_group_scan_add(value)     KA__COMBINE(value, KA__ADD, KA__SCAN | KA__WHOLE_GROUP)
#define ka_group_scan_min(value)     KA__COMBINE(value, KA__MIN, KA__SCAN | KA__WHOLE_GROUP)
#define ka_group_scan_max(value)     KA__COMBINE(value, KA__MAX, KA__SCAN | KA__WHOLE_GROUP)
#define ka_group_scan_and(value)     KA__COMBINE_BITS(value, KA__AND, KA__SCAN | KA__WHOLE_GROUP)
#define ka_group_scan_or(value)      KA__COMBINE_BITS(value, KA__OR, KA__SCAN | KA__WHOLE_GROUP)
#define ka_group_scan_xor(value)     KA__COMBINE_BITS(value, KA__XOR, KA__SCAN | KA__WHOLE_GROUP)

/* The same without this one. The first item gets what changes nothing: 0 for sums, or and exclusive
 * or, all bits for and, the type's largest value or infinity for min, its least or -infinity for
 * max. */
#define KA__BEFORE                             (KA__SCAN | KA__EXCLUSIVE)
#define ka_sub_group_scan_exclusive_add(value) KA__COMBINE(value, KA__ADD, KA__BEFORE)
#define ka_sub_group_scan_exclusive_min(value) KA__COMBINE(value, KA__MIN, KA__BEFORE)
#define ka_sub_group_scan_exclusive_max(value) KA__COMBINE(value, KA__MAX, KA__BEFORE)
#define ka_sub_group_scan_exclusive_and(value) KA__COMBINE_BITS(value, KA__AND, KA__BEFORE)
#define ka_sub_group_scan_exclusive_or(value)  KA__COMBINE_BITS(value, KA__OR, KA__BEFORE)
#define ka_sub_group_scan_exclusive_xor(value) KA__COMBINE_BITS(value, KA__XOR, KA__BEFORE)
#define ka_group_scan_exclusive_add(value)     KA__COMBINE(value, KA__ADD, KA__BEFORE | KA__WHOLE_GROUP)
#define ka_group_scan_exclusive_min(value)     KA__COMBINE(value, KA__MIN, KA__BEFORE | KA__WHOLE_GROUP)
#define ka_group_scan_exclusive_max(value)     KA__COMBINE(value, KA__MAX, KA__BEFORE | KA__WHOLE_GROUP)
#define ka_group_scan_exclusive_and(value)                                                         \
  KA__COMBINE_BITS(value, KA__AND, KA__BEFORE | KA__WHOLE_GROUP)
#define ka_group_scan_exclusive_or(value)                                                          \
  KA__COMBINE_BITS(value, KA__OR, KA__BEFORE | KA__WHOLE_GROUP)
#define ka_group_scan_exclusive_xor(value)                                                         \
  KA__COMBINE_BITS(value, KA__XOR, KA__BEFORE | KA__WHOLE_GROUP)

#endif
