// Atomics on every type that has them: sums, exchanges, compare-exchange loops, minimum and
// maximum, assignments to _Atomic objects; in global and in group memory, with all orders and
// fences.
#include "check.h"
#include <stdatomic.h>

enum { n = 1003, group = 64 };

// What many items do to one object, each once. Whole numbers, so that sums are
// exact.
#define KERNELS(T, name)                                                                           \
  struct name {                                                                                    \
    T sum, difference, last, counted, largest, smallest, doubled;                                  \
    _Atomic T added, appended, twice;                                                              \
    _Atomic T c11_last, c11_counted;                                                               \
  };                                                                                               \
  [[ka::kernel]] void all_##name(struct name *g, T *before, T *c11_before) {                       \
    size_t i = ka_global_id(0);                                                                    \
    T v = (T)(i + 1), old, new;                                                                    \
    __atomic_fetch_add(&g->sum, v, __ATOMIC_RELAXED);                                              \
    __atomic_fetch_sub(&g->difference, v, __ATOMIC_ACQ_REL);                                       \
    __atomic_exchange(&g->last, &v, &before[i], __ATOMIC_SEQ_CST);                                 \
    c11_before[i] = atomic_exchange_explicit(&g->c11_last, v, memory_order_acq_rel);               \
    __atomic_load(&g->counted, &old, __ATOMIC_ACQUIRE);                                            \
    do                                                                                             \
      new = old + 1;                                                                               \
    while (!__atomic_compare_exchange(&g->counted, &old, &new, true, __ATOMIC_ACQ_REL,             \
                                      __ATOMIC_RELAXED));                                          \
    old = atomic_load_explicit(&g->c11_counted, memory_order_relaxed);                             \
    while (!atomic_compare_exchange_strong_explicit(&g->c11_counted, &old, old + 2,                \
                                                    memory_order_seq_cst, memory_order_acquire))   \
      ;                                                                                            \
    __atomic_load(&g->largest, &old, __ATOMIC_RELAXED);                                            \
    while (old < v && !__atomic_compare_exchange(&g->largest, &old, &v, false, __ATOMIC_RELEASE,   \
                                                 __ATOMIC_RELAXED))                                \
      ;                                                                                            \
    __atomic_load(&g->smallest, &old, __ATOMIC_RELAXED);                                           \
    while (old > v && !__atomic_compare_exchange(&g->smallest, &old, &v, false, __ATOMIC_RELAXED,  \
                                                 __ATOMIC_RELAXED))                                \
      ;                                                                                            \
    atomic_fetch_add(&g->added, v);                                                                \
    g->appended += v;                                                                              \
    if (i < 10)                                                                                    \
      g->twice *= 2;                                                                               \
    if (i == 5) {                                                                                  \
      new = 77;                                                                                    \
      __atomic_store(&g->doubled, &new, __ATOMIC_RELEASE);                                         \
    }                                                                                              \
  }                                                                                                \
  [[ka::kernel, ka::group_size(group)]] void group_##name(T *sums, T *tops, T *firsts) {           \
    ka_local T sum, top;                                                                           \
    ka_local _Atomic T first;                                                                      \
    size_t l = ka_local_id(0);                                                                     \
    T v = (T)(l * 3 + 1), old = 0;                                                                 \
    if (l == 0)                                                                                    \
      sum = top = 0, first = 0;                                                                    \
    ka_barrier();                                                                                  \
    __atomic_fetch_add(&sum, v, __ATOMIC_RELAXED);                                                 \
    while (old < v &&                                                                              \
           !__atomic_compare_exchange(&top, &old, &v, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))   \
      ;                                                                                            \
    old = 0;                                                                                       \
    atomic_compare_exchange_strong(&first, &old, v);                                               \
    atomic_thread_fence(memory_order_seq_cst);                                                     \
    ka_barrier();                                                                                  \
    if (l == 0) {                                                                                  \
      sums[ka_group_id(0)] = sum;                                                                  \
      tops[ka_group_id(0)] = top;                                                                  \
      firsts[ka_group_id(0)] = first;                                                              \
    }                                                                                              \
  }                                                                                                \
  static void check_##name(void) {                                                                 \
    struct name *g = device_memory(sizeof *g);                                                     \
    T *before = device_memory(n * sizeof *before), *c11 = device_memory(n * sizeof *c11);          \
    g->smallest = (T)5000, g->twice = (T)3, g->difference = (T)((long)n * n);                      \
    KA_CHECK(ka_launch(backend(), ka_range(n), all_##name(g, before, c11)));                       \
    KA_CHECK(ka_synchronize(backend()));                                                           \
    const T total = (T)((long)n * (n + 1) / 2);                                                    \
    const T expected[] = {total,                                                                   \
                          (T)((long)n * n - (long)n * (n + 1) / 2),                                \
                          n,                                                                       \
                          n,                                                                       \
                          1,                                                                       \
                          77,                                                                      \
                          total,                                                                   \
                          total,                                                                   \
                          (T)(3 << 10),                                                            \
                          (T)(2 * n)};                                                             \
    const T actual[] = {g->sum,     g->difference, g->counted,  g->largest, g->smallest,           \
                        g->doubled, g->added,      g->appended, g->twice,   g->c11_counted};       \
    CHECK_SAME("all items on a " #T, expected, actual, 10);                                        \
    check_chain("exchange of " #T, before, (long)g->last);                                         \
    check_chain("atomic_exchange of " #T, c11, (long)g->c11_last);                                 \
    enum { groups = (n + group - 1) / group };                                                     \
    T *sums = device_memory(3 * groups * sizeof *sums);                                            \
    KA_CHECK(                                                                                      \
        ka_launch(backend(), ka_range(n), group_##name(sums, sums + groups, sums + 2 * groups)));  \
    KA_CHECK(ka_synchronize(backend()));                                                           \
    for (int k = 0; k < groups; k++) {                                                             \
      long items = k + 1 < groups ? group : n - k * group, top = items * 3 - 2;                    \
      const T in_group[] = {(T)(items * (top + 1) / 2), (T)top};                                   \
      const T got[] = {sums[k], sums[groups + k]};                                                 \
      CHECK_SAME("group memory of " #T, in_group, got, 2);                                         \
      long first = (long)sums[2 * groups + k];                                                     \
      if (first < 1 || first > top || first % 3 != 1)                                              \
        check_failures++, fprintf(stderr, "first of " #T " is %ld\n", first);                      \
    }                                                                                              \
  }

// Each item put its number in and took another's out: with the last, all numbers are there once.
#define check_chain(what, taken, last)                                                             \
  do {                                                                                             \
    char seen[n + 1] = {0}, once[n + 1];                                                           \
    memset(once, 1, sizeof once);                                                                  \
    for (int i = 0; i < n; i++)                                                                    \
      if (taken[i] >= 0 && taken[i] <= n)                                                          \
        seen[(long)taken[i]]++;                                                                    \
    seen[last]++;                                                                                  \
    CHECK_SAME(what, once, seen, n + 1);                                                           \
  } while (0)

KERNELS(int, of_int)
KERNELS(unsigned, of_unsigned)
KERNELS(long, of_long)
KERNELS(size_t, of_size)
KERNELS(float, of_float)
KERNELS(double, of_double)

// Integers also have bits, minimum and maximum; smaller ones are part of a word that others change.
#define BITS(T, name)                                                                              \
  [[ka::kernel]] void bits_##name(_Atomic T *x, T *y) {                                            \
    T i = (T)ka_global_id(0);                                                                      \
    atomic_fetch_or(&x[0], (T)((T)1 << (i % (sizeof(T) * 8 - 1))));                                \
    atomic_fetch_and_explicit(&x[1], (T) ~((T)1 << (i % 5)), memory_order_release);                \
    atomic_fetch_xor_explicit(&x[2], i, memory_order_acquire);                                     \
    x[3]++;                                                                                        \
    --x[4];                                                                                        \
    x[5] ^= (T)(i * 3);                                                                            \
    __atomic_fetch_max(&y[0], i, __ATOMIC_RELAXED);                                                \
    __atomic_fetch_min(&y[1], (T)(i + 7), __ATOMIC_SEQ_CST);                                       \
    __atomic_nand_fetch(&y[2], (T)3, __ATOMIC_RELAXED);                                            \
    __atomic_add_fetch(&y[3], 2, __ATOMIC_RELAXED);                                                \
  }                                                                                                \
  static void check_bits_##name(void) {                                                            \
    enum { items = 100 };                                                                          \
    _Atomic T *x = device_memory(6 * sizeof *x);                                                   \
    T *y = device_memory(4 * sizeof *y), e[10] = {0}, a[10];                                       \
    x[1] = e[1] = (T) - 1, y[1] = e[7] = 100;                                                      \
    for (int i = 0; i < items; i++) {                                                              \
      T t = (T)i;                                                                                  \
      e[0] |= (T)((T)1 << (t % (sizeof(T) * 8 - 1))), e[1] &= (T) ~((T)1 << (t % 5)), e[2] ^= t;   \
      e[3]++, e[4]--, e[5] ^= (T)(t * 3), e[6] = t > e[6] ? t : e[6];                              \
      e[7] = (T)(t + 7) < e[7] ? (T)(t + 7) : e[7], e[8] = (T) ~(e[8] & 3), e[9] += 2;             \
    }                                                                                              \
    KA_CHECK(ka_launch(backend(), ka_range(items), bits_##name(x, y)));                            \
    KA_CHECK(ka_synchronize(backend()));                                                           \
    for (int k = 0; k < 10; k++)                                                                   \
      a[k] = k < 6 ? x[k] : y[k - 6];                                                              \
    CHECK_SAME("bits of a " #T, e, a, 10);                                                         \
  }
BITS(int, of_int)
BITS(unsigned, of_unsigned)
BITS(long, of_long)
BITS(size_t, of_size)
BITS(short, of_short)
BITS(unsigned char, of_byte)

// A structure of 64 bits, a pointer and a flag; orders that are known only when the kernel runs.
struct pair {
  int a, b;
};
[[ka::kernel]] void others(_Atomic struct pair *p, int *_Atomic *q, int *base, atomic_flag *f,
                           int *o, int order) {
  struct pair old = atomic_load(p), new;
  do
    new = (struct pair){old.a + 1, old.b + 2};
  while (!atomic_compare_exchange_weak(p, &old, new));
  atomic_fetch_add(q, 1);
  if (!atomic_flag_test_and_set(f))
    __atomic_fetch_add(&o[0], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&o[1], 1, order);
  __atomic_thread_fence(order);
  __sync_fetch_and_add(&o[2], 3);
  if (ka_global_id(0) == 0)
    o[3] = atomic_load_explicit(q, memory_order_relaxed) > base;
}
static void check_others(void) {
  _Atomic struct pair *p = device_memory(sizeof *p);
  int *o = device_memory(5 * sizeof *o), *base = device_memory(n * sizeof *base);
  int *_Atomic *q = device_memory(sizeof *q);
  atomic_flag *f = device_memory(sizeof *f);
  *q = base;
  for (int order = __ATOMIC_RELAXED; order <= __ATOMIC_SEQ_CST; order++)
    KA_CHECK(ka_launch(backend(), ka_range(100), others(p, q, base, f, o, order)));
  KA_CHECK(ka_synchronize(backend()));
  const long expected[] = {600, 1200, 600, 1, 600, 1800, 1};
  struct pair last = atomic_load(p);
  const long actual[] = {last.a, last.b, *q - base, o[0], o[1], o[2], o[3]};
  CHECK_SAME("pairs, pointers, flags", expected, actual, 7);
}

int main(void) {
  check_of_int();
  check_of_unsigned();
  check_of_long();
  check_of_size();
  check_of_float();
  check_of_double();
  check_bits_of_int();
  check_bits_of_unsigned();
  check_bits_of_long();
  check_bits_of_size();
  check_bits_of_short();
  check_bits_of_byte();
  check_others();
  return check_result();
}
