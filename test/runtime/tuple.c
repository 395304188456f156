/* Kernels by their handles: arguments with their types, and every way in which they do not fit. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <complex.h>
#include <stdlib.h>

static ka_kernel *handle(enum test_kernel kernel) {
  ka_kernel *k = ka__kernel_of(test_backend(), test_kernel(kernel));
  if (!k)
    test_fail(__FILE__, __LINE__, "no handle: %s", ka_error_message());
  return k;
}

enum { GROUP = 4 };

static ka_ndrange one_group(void) { return ka_with_group(ka_range(GROUP), GROUP); }

static void check_mixed(const double *out) {
  CHECK_OK(ka_synchronize(test_backend()));
  static const double expected[8] = {1.5, 2.25, -3, 1e9, -5, 250, 126, 0.5};
  for (int i = 0; i < 8; i++)
    CHECK(out[i] == expected[i]);
}

static const struct triple triple = {1, 2, 3};

TEST(passes_typed_arguments) {
  double *out = ka_alloc_zeroed(test_backend(), 8 * sizeof *out);
  float *x = ka_alloc(test_backend(), 2 * sizeof *x);
  x[1] = 0.5f;
  short s = -5;
  unsigned char u = 250;
  CHECK_OK(ka_launch_tuple(handle(K_mixed), one_group(),
                           ka_tuple(out, 1.5f, 2.25, -3, (size_t)1000000000, s, u,
                                    ka_by_value(triple), x, ka_scratch(GROUP * sizeof(int)))));
  check_mixed(out);
}

TEST(keeps_a_tuple_for_several_launches) {
  uint64_t *out = ka_alloc_zeroed(test_backend(), sizeof *out);
  volatile uint64_t a = 1;
  ka_arguments tuple = ka_tuple(out, a, 2 * a, (uint64_t)3);
  a = 100; /* too late: values are noted as they were */
  for (int i = 0; i < 3; i++) {
    *out = 0;
    CHECK_OK(ka_launch_tuple(handle(K_few), ka_range(1), tuple));
    CHECK_OK(ka_synchronize(test_backend()));
    CHECK_INT(*out, 1 + 2 + 2 * 3);
  }
}

TEST(passes_a_packed_structure) {
  double *out = ka_alloc_zeroed(test_backend(), 8 * sizeof *out);
  float *x = ka_alloc(test_backend(), 2 * sizeof *x);
  x[1] = 0.5f;
  struct args_mixed tuple = {out, 1.5f, 2.25,   -3, 1000000000,
                             -5,  250,  triple, x,  ka_scratch(GROUP * sizeof(int))};
  CHECK_OK(ka_launch_tuple(handle(K_mixed), one_group(), &tuple, sizeof tuple));
  memset(&tuple, 0xff, sizeof tuple);
  check_mixed(out);
}

TEST(takes_a_kernel_without_parameters) {
  CHECK_OK(ka_launch_tuple(handle(K_empty), ka_range(10), NULL, 0));
  CHECK_OK(ka_launch_tuple(handle(K_empty), ka_range(10), ((ka_arguments){NULL, 0})));
  CHECK_OK(ka_synchronize(test_backend()));
}

/* More than fits where small tuples are put together. */
TEST(takes_many_structures) {
  uint64_t *out = ka_alloc_zeroed(test_backend(), sizeof *out), expected = 0;
  struct block b[64];
  ka_argument list[65] = {ka_by_value(out)};
  list[0] = ka_tuple(out).list[0];
  for (size_t i = 0; i < 64; i++) {
    for (size_t j = 0; j < 8; j++)
      expected += (b[i].a[j] = i << j) * (i == 63 ? 2 : 1);
    list[i + 1] = ka_by_value(b[i]);
  }
  CHECK_OK(ka_launch_tuple(handle(K_blocks), ka_range(1), ((ka_arguments){list, 65})));
  memset(b, 0xff, sizeof b);
  CHECK_OK(ka_synchronize(test_backend()));
  CHECK_INT(*out, expected);
}

/* What ka_tuple makes of a value: its class, its size, the value. */
#define CHECK_SCALAR(type, number, class)                                                          \
  do {                                                                                             \
    type v = (number);                                                                             \
    ka_arguments t = ka_tuple(v);                                                                  \
    CHECK_INT(t.count, 1);                                                                         \
    CHECK_INT(t.list[0].kind, KA__ARGUMENT_SCALAR);                                                \
    CHECK_INT(t.list[0].element, KA__ELEMENT(KA_METADATA_##class, sizeof v));                      \
    type noted;                                                                                    \
    memcpy(&noted, t.list[0].value, sizeof noted);                                                 \
    CHECK(noted == v);                                                                             \
    type *p = &v;                                                                                  \
    const type *q = &v;                                                                            \
    volatile type *r = &v;                                                                         \
    const volatile type *s = &v;                                                                   \
    t = ka_tuple(p, q, r, s);                                                                      \
    for (int i = 0; i < 4; i++) {                                                                  \
      CHECK_INT(t.list[i].kind, KA__ARGUMENT_POINTER);                                             \
      CHECK_INT(t.list[i].element, KA__ELEMENT(KA_METADATA_##class, sizeof v));                    \
      CHECK_INT(t.list[i].is_const, i % 2);                                                        \
      CHECK(t.list[i].where == &v);                                                                \
    }                                                                                              \
  } while (0)

TEST(notes_every_type) {
  CHECK_SCALAR(_Bool, 1, BOOL);
  CHECK_SCALAR(char, 'x', INTEGER);
  CHECK_SCALAR(signed char, -7, INTEGER);
  CHECK_SCALAR(unsigned char, 200, INTEGER);
  CHECK_SCALAR(short, -30000, INTEGER);
  CHECK_SCALAR(unsigned short, 60000, INTEGER);
  CHECK_SCALAR(int, -2000000000, INTEGER);
  CHECK_SCALAR(unsigned, 4000000000u, INTEGER);
  CHECK_SCALAR(long, -1, INTEGER);
  CHECK_SCALAR(unsigned long, -1, INTEGER);
  CHECK_SCALAR(long long, (long long)1 << 62, INTEGER);
  CHECK_SCALAR(unsigned long long, -2, INTEGER);
  CHECK_SCALAR(size_t, SIZE_MAX, INTEGER);
  CHECK_SCALAR(float, 1.5f, FLOAT);
  CHECK_SCALAR(double, 1e300, FLOAT);
  CHECK_SCALAR(float _Complex, 1.0f + 2.0f * I, COMPLEX);
  CHECK_SCALAR(double _Complex, 1.0 - 2.0 * I, COMPLEX);
#ifdef __FLT16_MAX__
  CHECK_SCALAR(_Float16, 0.5f, FLOAT);
#endif
}

TEST(notes_enumerations) {
  enum colour { RED, GREEN } colour = GREEN;
  ka_arguments tuple = ka_tuple(GREEN, colour, &colour);
  for (int i = 0; i < 2; i++) {
    CHECK_INT(tuple.list[i].element, KA__ELEMENT(KA_METADATA_INTEGER, sizeof(int)));
    CHECK_INT(tuple.list[i].value[0], 1);
  }
  CHECK(tuple.list[2].where == &colour);
}

TEST(notes_pointers_and_arrays) {
  int array[3] = {0};
  struct triple t, *pointer = &t;
  void *nothing = NULL;
  volatile int *counter = array;
  const struct triple *constant = &t;
  const volatile struct triple *both = &t;
  ka_arguments tuple = ka_tuple(array, &array[1], pointer, nothing, NULL, counter, &array, "text",
                                (const void *)&t, constant, both, (volatile void *)&t);
  CHECK_INT(tuple.count, 12);
  const void *where[] = {array, &array[1], &t, NULL, NULL, array, array, "", &t, &t, &t, &t};
  for (int i = 0; i < 12; i++) {
    CHECK_INT(tuple.list[i].kind, KA__ARGUMENT_POINTER);
    CHECK(i == 7 || tuple.list[i].where == where[i]);
  }
  CHECK_INT(tuple.list[0].element, KA__ELEMENT(KA_METADATA_INTEGER, sizeof(int)));
  CHECK_INT(tuple.list[2].element, 0);
  CHECK_INT(tuple.list[3].element, KA_METADATA_VOID);
  CHECK_INT(tuple.list[8].element, KA_METADATA_VOID);
  CHECK_INT(tuple.list[11].element, KA_METADATA_VOID);
  for (int i = 0; i < 12; i++)
    CHECK_INT(tuple.list[i].is_const, i >= 8 && i <= 10);
}

/* ---- What does not fit ------------------------------------------------------------------------
 */

static double out[8];
static float x[2];

/* The arguments of `mixed`, one of which a case replaces. */
#define MIXED(...)                                                                                 \
  (memcpy(mixed_arguments,                                                                         \
          ka_tuple(out, 1.5f, 2.25, -3, (size_t)7, (short)1, (unsigned char)2,                     \
                   ka_by_value(triple), x, ka_scratch(64))                                         \
              .list,                                                                               \
          sizeof mixed_arguments),                                                                 \
   __VA_ARGS__)
static ka_argument mixed_arguments[10];

static void check_refused(int number, ka_arguments replacement, const char *wanted,
                          const char *given, const char *remedy) {
  MIXED(mixed_arguments[number] = replacement.list[0]);
  CHECK_STATUS(ka_launch_tuple(handle(K_mixed), one_group(), ((ka_arguments){mixed_arguments, 10})),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("kernel 'mixed' (written.c:", wanted, given, remedy);
}

static void check_taken(int number, ka_arguments replacement) {
  MIXED(mixed_arguments[number] = replacement.list[0]);
  CHECK_OK(ka_launch_tuple(handle(K_mixed), one_group(), ((ka_arguments){mixed_arguments, 10})));
  CHECK_OK(ka_synchronize(test_backend()));
}

TEST(refuses_another_number_of_arguments) {
  CHECK_STATUS(ka_launch_tuple(handle(K_mixed), one_group(), ka_tuple(out, 1.5f)),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("kernel 'mixed' (written.c:", "takes 10 arguments (double *out, float f, double d",
                "gives 2; pass ka_scratch(bytes) for a ka_local parameter");
  CHECK_STATUS(ka_launch_tuple(handle(K_one), ka_range(1), ka_tuple(out, 1)),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("kernel 'one'", "takes 1 argument (", "gives 2");
  CHECK_STATUS(ka_launch_tuple(handle(K_empty), ka_range(1), ka_tuple(1)),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("kernel 'empty'", "takes 0 arguments", "gives 1");
  CHECK_STATUS(ka_launch_tuple(handle(K_hundreds), ka_range(1), ka_tuple(1)),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("takes 200 arguments", "...");
  CHECK_STATUS(ka_launch_tuple(handle(K_one), ka_range(1), ((ka_arguments){NULL, 1})),
               KA_ERROR_ARGUMENT_MISMATCH);
}

TEST(refuses_a_value_for_a_pointer) {
  check_refused(0, ka_tuple(5), "parameter 'out' (number 1) is of type 'double *' (8 bytes)",
                "a value of type 4-byte integer", "pass a pointer");
  check_refused(0, ka_tuple(2.0), "'out'", "a value of type double", "; pass a pointer");
  check_refused(0, ka_tuple((size_t)out), "'out'", "8-byte integer", "pass a pointer");
  check_refused(0, ka_tuple(ka_by_value(triple)), "'out'", "12 bytes by ka_by_value()",
                "pass a pointer");
}

TEST(refuses_a_pointer_for_a_value) {
  check_refused(4, ka_tuple(out), "parameter 'n' (number 5) is of type 'size_t'",
                "a pointer to double", "pass a value");
  check_refused(1, ka_tuple(NULL), "'f'", "a pointer to void", "pass a value");
  check_refused(7, ka_tuple(&triple), "'t' (number 8) is of type 'struct triple' (12 bytes)",
                "a pointer", "ka_by_value(object)");
}

TEST(refuses_a_value_of_another_size) {
  check_refused(4, ka_tuple(5), "'n' (number 5) is of type 'size_t' (8 bytes)",
                "a value of type 4-byte integer (4 bytes)", "convert the argument");
  check_refused(1, ka_tuple(1.5), "'f' (number 2) is of type 'float' (4 bytes)",
                "a value of type double (8 bytes)", "convert the argument");
  check_refused(3, ka_tuple((short)5), "'i'", "2-byte integer", "convert the argument");
  check_refused(6, ka_tuple(5), "'unsigned char' (1 bytes)", "4-byte integer", "convert");
}

TEST(refuses_a_value_of_another_type_of_the_same_size) {
  check_refused(1, ka_tuple(3), "'f' (number 2) is of type 'float'", "4-byte integer",
                "convert the argument");
  check_refused(3, ka_tuple(3.0f), "'i' (number 4) is of type 'int'", "a value of type float",
                "convert the argument");
  check_refused(2, ka_tuple(1.0f + 0.0f * I), "'d' (number 3) is of type 'double'",
                "a value of type float _Complex (8 bytes)", "convert the argument");
  check_refused(6, ka_tuple((_Bool)1), "'u'", "a value of type _Bool", "convert the argument");
  check_refused(4, ka_tuple(1.0), "'n'", "a value of type double", "convert the argument");
}

TEST(refuses_a_structure_of_another_size) {
  check_refused(7, ka_tuple(ka_by_value(out)),
                "'t' (number 8) is of type 'struct triple' (12 bytes)", "64 bytes by ka_by_value()",
                "pass an object of that type");
  check_refused(7, ka_tuple(5), "'t'", "4-byte integer", "ka_by_value(object)");
  check_refused(7, ka_tuple(ka_by_value(*(struct triple *)NULL)), "'t'",
                "12 bytes by ka_by_value()", "the object is at NULL");
}

TEST(refuses_a_pointer_to_another_type) {
  check_refused(0, ka_tuple(x), "'out' (number 1) is of type 'double *'", "a pointer to float",
                "pass a pointer to that type");
  check_refused(8, ka_tuple(out), "'x' (number 9) is of type 'const float *restrict'",
                "a pointer to double", "pass a pointer to that type");
  check_refused(8, ka_tuple((int *)NULL), "'x'", "a pointer to 4-byte integer",
                "pass a pointer to that type");
  check_refused(8, ka_tuple(&triple), "'x'", "a pointer to const object",
                "pass a pointer to that type");
}

TEST(refuses_const_memory_that_the_kernel_may_write) {
  check_refused(0, ka_tuple((const double *)out), "'out' (number 1) is of type 'double *'",
                "a pointer to const double", "not const");
  check_refused(0, ka_tuple((const void *)out), "'out'", "a pointer to const void", "not const");
  check_refused(0, ka_tuple((const volatile double *)out), "'out'", "a pointer to const double",
                "not const");
  check_refused(0, ka_tuple((const struct triple *)out), "'out'", "a pointer to const object",
                "not const");
}

TEST(refuses_a_pointer_for_group_memory) {
  int array[4];
  check_refused(9, ka_tuple(array), "'scratch' (number 10) is of type 'ka_local int *'",
                "a pointer to 4-byte integer", "it is group memory: pass ka_scratch(bytes)");
  check_refused(9, ka_tuple((size_t)64), "'scratch'", "8-byte integer", "pass ka_scratch(bytes)");
  /* A void pointer looks as ka_scratch does, but no device has so much. */
  MIXED(mixed_arguments[9] = ka_tuple((void *)array).list[0]);
  CHECK_STATUS(ka_launch_tuple(handle(K_mixed), one_group(), ((ka_arguments){mixed_arguments, 10})),
               KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("'mixed'", "'scratch'", "bytes of group memory");
}

TEST(refuses_group_memory_for_a_pointer) {
  check_refused(0, ka_tuple(ka_scratch(1024)), "'out' (number 1)", "a pointer to void",
                "ka_scratch() is for parameters marked ka_local");
}

TEST(takes_what_c_would_take) {
  check_taken(3, ka_tuple(3u));           /* unsigned for signed */
  check_taken(4, ka_tuple((long long)3)); /* signed for unsigned, another name for the size */
  check_taken(6, ka_tuple((signed char)3));
  check_taken(0, ka_tuple((void *)out)); /* as C converts */
  check_taken(8, ka_tuple((const void *)x));
  check_taken(8, ka_tuple((const float *)x));
  check_taken(0, ka_tuple((volatile double *)out));
}

TEST(refuses_a_structure_of_another_size_as_the_whole) {
  struct args_few tuple = {0};
  CHECK_STATUS(ka_launch_tuple(handle(K_few), ka_range(1), &tuple, sizeof tuple - 8),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("kernel 'few' (written.c:", "32 bytes", "passes 24", "ka_kernel_parameter_info");
  CHECK_STATUS(ka_launch_tuple(handle(K_few), ka_range(1), NULL, sizeof tuple),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("at NULL");
}

TEST(refuses_no_kernel) {
  CHECK_STATUS(ka_launch_tuple(NULL, ka_range(1), NULL, 0), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_launch_tuple", "the kernel is NULL", "ka_kernel_of()");
  CHECK_STATUS(ka_launch_tuple(NULL, ka_range(1), ka_tuple(1)), KA_ERROR_INVALID_ARGUMENT);
}

/* Metadata that does not say what types are made of leaves kinds and sizes. */
TEST(checks_what_the_metadata_says) {
  uint64_t sum = 0;
  CHECK_OK(ka_launch_tuple(handle(K_few), ka_range(1),
                           ka_tuple(&sum, (uint64_t)1, (uint64_t)2, (uint64_t)3)));
  CHECK_OK(ka_synchronize(test_backend()));
  CHECK_INT(sum, 9);
  CHECK_STATUS(ka_launch_tuple(handle(K_few), ka_range(1), ka_tuple(&sum, 1, 2, 3)),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_STATUS(ka_launch_tuple(handle(K_few), ka_range(1), ka_tuple(&sum, 1.0, 2.0, 3.0)),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_STATUS(ka_launch_tuple(handle(K_saxpy), ka_range(1), ka_tuple(1.0, x, x)),
               KA_ERROR_ARGUMENT_MISMATCH);
}
