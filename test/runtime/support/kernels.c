/* The module of kernels.cl. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <stddef.h>
#include <time.h>

/* KERNELS_SPV is the path of kernels.cl as SPIR-V. */
__asm__(".section .rodata\n"
        ".balign 8\n"
        ".global test_spirv, test_spirv_end\n"
        "test_spirv: .incbin \"" KERNELS_SPV "\"\n"
        "test_spirv_end: .byte 0\n"
        ".previous");

#define PARAM(kernel, member, what, ...)                                                           \
  {.name = #member,                                                                                \
   .kind = KA_METADATA_##what,                                                                     \
   .offset = offsetof(struct args_##kernel, member),                                               \
   .size = sizeof(((struct args_##kernel *)0)->member),                                            \
   __VA_ARGS__}

static const struct param_spec saxpy[] = {PARAM(saxpy, a, SCALAR, .flags = KA_METADATA_FLOATING),
                                          PARAM(saxpy, x, POINTER), PARAM(saxpy, y, POINTER)};
static const struct param_spec visit[] = {PARAM(visit, count, POINTER), PARAM(visit, ids, POINTER)};
static const struct param_spec groups[] = {PARAM(groups, sizes, POINTER)};
static const struct param_spec group_sum[] = {PARAM(group_sum, in, POINTER),
                                              PARAM(group_sum, out, POINTER),
                                              PARAM(group_sum, scratch, LOCAL)};
static const struct param_spec spare_local[] = {PARAM(spare_local, out, POINTER),
                                                PARAM(spare_local, scratch, LOCAL)};
static const struct param_spec add_pair[] = {PARAM(
    add_pair, pair, AGGREGATE,
    .pointers = {{"p", offsetof(struct pair, p), 0}, {"in.q", offsetof(struct pair, in.q), 0}})};
static const struct param_spec slow[] = {PARAM(slow, p, POINTER), PARAM(slow, rounds, SCALAR)};
static const struct param_spec meet[] = {PARAM(meet, mine, POINTER), PARAM(meet, other, POINTER),
                                         PARAM(meet, most, SCALAR), PARAM(meet, met, POINTER)};
static const struct param_spec is_null[] = {PARAM(is_null, out, POINTER),
                                            PARAM(is_null, p, POINTER)};
static const struct param_spec tally[] = {PARAM(tally, total, POINTER),
                                          PARAM(tally, least, SCALAR)};

#define A(kernel, i) PARAM(kernel, a[i], SCALAR)
#define TEN(kernel, i)                                                                             \
  A(kernel, i), A(kernel, i + 1), A(kernel, i + 2), A(kernel, i + 3), A(kernel, i + 4),            \
      A(kernel, i + 5), A(kernel, i + 6), A(kernel, i + 7), A(kernel, i + 8), A(kernel, i + 9)
#define NINE(kernel, i)                                                                            \
  A(kernel, i), A(kernel, i + 1), A(kernel, i + 2), A(kernel, i + 3), A(kernel, i + 4),            \
      A(kernel, i + 5), A(kernel, i + 6), A(kernel, i + 7), A(kernel, i + 8)
static const struct param_spec one[] = {PARAM(one, out, POINTER)};
static const struct param_spec few[] = {PARAM(few, out, POINTER), A(few, 0), A(few, 1), A(few, 2)};
static const struct param_spec many[] = {PARAM(many, out, POINTER), TEN(many, 0), TEN(many, 10),
                                         TEN(many, 20), NINE(many, 30)};
static const struct param_spec hundreds[] = {PARAM(hundreds, out, POINTER),
                                             TEN(hundreds, 0),
                                             TEN(hundreds, 10),
                                             TEN(hundreds, 20),
                                             TEN(hundreds, 30),
                                             TEN(hundreds, 40),
                                             TEN(hundreds, 50),
                                             TEN(hundreds, 60),
                                             TEN(hundreds, 70),
                                             TEN(hundreds, 80),
                                             TEN(hundreds, 90),
                                             TEN(hundreds, 100),
                                             TEN(hundreds, 110),
                                             TEN(hundreds, 120),
                                             TEN(hundreds, 130),
                                             TEN(hundreds, 140),
                                             TEN(hundreds, 150),
                                             TEN(hundreds, 160),
                                             TEN(hundreds, 170),
                                             TEN(hundreds, 180),
                                             NINE(hundreds, 190)};
static const struct param_spec bundled[] = {
    PARAM(bundled, all, AGGREGATE, .pointers = {{"out", offsetof(struct bundled, out), 0}})};
static const struct param_spec spilled[] = {
    PARAM(spilled, out, POINTER), PARAM(spilled, more, POINTER, .flags = KA_METADATA_SPILLED),
    PARAM(spilled, b, AGGREGATE, .flags = KA_METADATA_SPILLED)};
#define B(i)     PARAM(blocks, b[i], AGGREGATE)
#define EIGHT(i) B(i), B(i + 1), B(i + 2), B(i + 3), B(i + 4), B(i + 5), B(i + 6), B(i + 7)
static const struct param_spec blocks[] = {PARAM(blocks, out, POINTER),
                                           EIGHT(0),
                                           EIGHT(8),
                                           EIGHT(16),
                                           EIGHT(24),
                                           EIGHT(32),
                                           EIGHT(40),
                                           EIGHT(48),
                                           EIGHT(56)};
#define TYPED(member, what, text, class, bytes, ...)                                               \
  PARAM(mixed, member, what, .type = text, .element = KA__ELEMENT(KA_METADATA_##class, bytes),     \
        __VA_ARGS__)
static const struct param_spec mixed[] = {
    TYPED(out, POINTER, "double *", FLOAT, 8, ),
    TYPED(f, SCALAR, "float", FLOAT, 4, .flags = KA_METADATA_FLOATING),
    TYPED(d, SCALAR, "double", FLOAT, 8, .flags = KA_METADATA_FLOATING),
    TYPED(i, SCALAR, "int", INTEGER, 4, .flags = KA_METADATA_SIGNED),
    TYPED(n, SCALAR, "size_t", INTEGER, 8, ),
    TYPED(s, SCALAR, "short", INTEGER, 2, .flags = KA_METADATA_SIGNED),
    TYPED(u, SCALAR, "unsigned char", INTEGER, 1, ),
    TYPED(t, AGGREGATE, "struct triple", RECORD, 12, ),
    TYPED(x, POINTER, "const float *restrict", FLOAT, 4, .flags = KA_METADATA_CONST),
    TYPED(scratch, LOCAL, "ka_local int *", INTEGER, 4, ),
};

static const struct param_spec picky[] = {PARAM(picky, out, POINTER), PARAM(picky, first, SCALAR)};
static const struct param_spec says[] = {PARAM(says, buffer, POINTER)};
static const struct site_spec picky_sites[] = {
    {KA_METADATA_ASSERT, "i % 2", "picky.c", "check", 12},
    {KA_METADATA_TRAP, "an odd item", "picky.c", "", 34},
};

#define KERNEL(kernel, list, ...)                                                                  \
  [K_##kernel] = {.name = #kernel,                                                                 \
                  .tuple_bytes = sizeof(struct args_##kernel),                                     \
                  .params = list,                                                                  \
                  .param_count = sizeof(list) / sizeof *(list),                                    \
                  __VA_ARGS__}

const struct kernel_spec test_kernel_specs[K_COUNT] = {
    [K_empty] = {.name = "empty"},
    KERNEL(saxpy, saxpy, .flags = KA_METADATA_PADDED),
    KERNEL(visit, visit, .flags = KA_METADATA_PADDED),
    KERNEL(groups, groups, .flags = 0),
    KERNEL(fixed_groups, groups, .group_size = {8, 4, 1}),
    KERNEL(group_sum, group_sum, .flags = KA_METADATA_BARRIER),
    KERNEL(spare_local, spare_local, .flags = 0),
    KERNEL(add_pair, add_pair, .flags = 0),
    KERNEL(slow, slow, .flags = 0),
    KERNEL(meet, meet, .flags = 0),
    KERNEL(is_null, is_null, .flags = 0),
    KERNEL(many, many, .flags = 0),
    KERNEL(tally, tally, .flags = KA_METADATA_PADDED | KA_METADATA_INT64_ATOMICS),
    KERNEL(one, one, .flags = 0),
    KERNEL(few, few, .flags = 0),
    KERNEL(hundreds, hundreds, .flags = 0),
    KERNEL(bundled, bundled, .flags = 0),
    KERNEL(blocks, blocks, .flags = 0),
    KERNEL(spilled, spilled, .flags = KA_METADATA_SPILLS),
    KERNEL(mixed, mixed, .flags = KA_METADATA_BARRIER),
    KERNEL(picky, picky, .flags = KA_METADATA_PADDED | KA_METADATA_MAILBOX, .sites = picky_sites,
           .site_count = 2),
    KERNEL(says, says, .flags = KA_METADATA_MAILBOX | KA_METADATA_PRINTS),
};

static struct written_module module;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_module(void) {
  module_create(&module, test_kernel_specs, K_COUNT, test_spirv,
                (size_t)(test_spirv_end - test_spirv));
}

struct ka__kernel *test_kernel(enum test_kernel kernel) {
  pthread_once(&once, make_module);
  return &module.kernels[kernel];
}

double test_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t test_slow_rounds(ka_backend *backend, double milliseconds) {
  int p[2] = {0, 0};
  int *memory = ka_alloc(backend, sizeof p);
  CHECK(memory);
  /* The first launch also builds. */
  CHECK_OK(LAUNCH(backend, ka_range(1), slow, memory, 1));
  CHECK_OK(ka_synchronize(backend));
  const uint64_t rounds = 4000000;
  double start = test_now();
  CHECK_OK(LAUNCH(backend, ka_range(1), slow, memory, rounds));
  CHECK_OK(ka_synchronize(backend));
  double took = test_now() - start;
  CHECK_OK(ka_free(memory));
  return (uint64_t)((double)rounds * milliseconds / (1e3 * took)) + 1;
}
