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

static const struct param_spec saxpy[] = {PARAM(saxpy, a, SCALAR), PARAM(saxpy, x, POINTER),
                                          PARAM(saxpy, y, POINTER)};
static const struct param_spec visit[] = {PARAM(visit, count, POINTER), PARAM(visit, ids, POINTER)};
static const struct param_spec groups[] = {PARAM(groups, sizes, POINTER)};
static const struct param_spec group_sum[] = {PARAM(group_sum, in, POINTER),
                                              PARAM(group_sum, out, POINTER),
                                              PARAM(group_sum, scratch, LOCAL)};
static const struct param_spec spare_local[] = {PARAM(spare_local, out, POINTER),
                                                PARAM(spare_local, scratch, LOCAL)};
static const struct param_spec add_pair[] = {
    PARAM(add_pair, pair, AGGREGATE,
          .pointers = {{"p", offsetof(struct pair, p)}, {"in.q", offsetof(struct pair, in.q)}})};
static const struct param_spec slow[] = {PARAM(slow, p, POINTER), PARAM(slow, rounds, SCALAR)};
static const struct param_spec meet[] = {PARAM(meet, mine, POINTER), PARAM(meet, other, POINTER),
                                         PARAM(meet, most, SCALAR), PARAM(meet, met, POINTER)};
static const struct param_spec is_null[] = {PARAM(is_null, out, POINTER),
                                            PARAM(is_null, p, POINTER)};
static const struct param_spec tally[] = {PARAM(tally, total, POINTER),
                                          PARAM(tally, least, SCALAR)};

#define A(i) PARAM(many, a[i], SCALAR)
static const struct param_spec many[] = {PARAM(many, out, POINTER),
                                         A(0),
                                         A(1),
                                         A(2),
                                         A(3),
                                         A(4),
                                         A(5),
                                         A(6),
                                         A(7),
                                         A(8),
                                         A(9),
                                         A(10),
                                         A(11),
                                         A(12),
                                         A(13),
                                         A(14),
                                         A(15),
                                         A(16),
                                         A(17),
                                         A(18),
                                         A(19),
                                         A(20),
                                         A(21),
                                         A(22),
                                         A(23),
                                         A(24),
                                         A(25),
                                         A(26),
                                         A(27),
                                         A(28),
                                         A(29),
                                         A(30),
                                         A(31),
                                         A(32),
                                         A(33),
                                         A(34),
                                         A(35),
                                         A(36),
                                         A(37),
                                         A(38)};

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
