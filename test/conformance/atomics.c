// Atomics: C11 and builtins, integers and floats, all orders; many items on one object.
#include "check.h"
#include <stdatomic.h>

struct totals {
  int i;
  unsigned u;
  long l;
  float f;
  double d;
  int min, max;
  unsigned umax;
  unsigned bits_or, bits_and, bits_xor;
  int nand;
  unsigned short s;
  unsigned char c;
  double dmax;
};

[[ka::kernel]] void contend(struct totals *t) {
  int v = (int)ka_global_id(0);
  __atomic_fetch_add(&t->i, v, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&t->u, 3u, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&t->l, 1L << 33, __ATOMIC_ACQ_REL);
  __atomic_fetch_or(&t->bits_or, 1u << (v % 32), __ATOMIC_RELAXED);
  __atomic_fetch_and(&t->bits_and, ~(1u << (v % 31)), __ATOMIC_RELEASE);
  __atomic_fetch_xor(&t->bits_xor, (unsigned)v, __ATOMIC_ACQUIRE);
  __atomic_fetch_add(&t->s, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&t->c, 1, __ATOMIC_RELAXED);
#if __has_builtin(__atomic_fetch_min)
  __atomic_fetch_min(&t->min, -v, __ATOMIC_RELAXED);
  __atomic_fetch_max(&t->max, v, __ATOMIC_RELAXED);
  __atomic_fetch_max(&t->umax, (unsigned)v * 5, __ATOMIC_RELAXED);
#endif
  // A double by compare-exchange, as programs write it.
  double old = t->dmax, new;
  do
    new = old > v ? old : v;
  while (!__atomic_compare_exchange(&t->dmax, &old, &new, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

[[ka::kernel]] void floats(float *f, double *d) {
  __atomic_fetch_add(f, 0.5f, __ATOMIC_RELAXED);
  __atomic_fetch_add(d, 0.25, __ATOMIC_RELAXED);
}

[[ka::kernel]] void standard(_Atomic int *counter, atomic_ulong *wide, _Atomic float *f, int *seen,
                             int n) {
  int ticket = atomic_fetch_add(counter, 1);
  if (ticket < n)
    atomic_store_explicit((_Atomic int *)&seen[ticket], (int)ka_global_id(0) + 1,
                          memory_order_relaxed);
  atomic_fetch_add_explicit(wide, 1ul << 40, memory_order_relaxed);
  int expected = 0;
  atomic_compare_exchange_strong(&counter[1], &expected, (int)ka_global_id(0) + 1);
  if (ka_global_id(0) == 0) {
    atomic_exchange(f, 2.5f);
    atomic_store(&f[1], atomic_load(f) + 1);
  }
}

// In group memory, between items that a barrier brings together.
[[ka::kernel, ka::group_size(64)]] void in_group(int *out) {
  ka_local int count;
  ka_local float sum;
  if (ka_local_id(0) == 0) {
    count = 0;
    sum = 0;
  }
  ka_barrier();
  __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&sum, 2.0f, __ATOMIC_RELAXED);
  ka_barrier();
  out[ka_global_id(0)] = count * 1000 + (int)sum;
}

int main(void) {
  enum { n = 5003 };
  struct totals *t = device_memory(sizeof *t);
  t->bits_and = ~0u;
  KA_CHECK(ka_launch(backend(), ka_range(n), contend(t)));
  float *f = device_memory(4 * sizeof *f);
  double *d = device_memory(4 * sizeof *d);
  KA_CHECK(ka_launch(backend(), ka_range(n), floats(f, d)));
  KA_CHECK(ka_synchronize(backend()));

  unsigned x = 0, o = 0, a = ~0u;
  for (unsigned v = 0; v < n; v++)
    x ^= v, o |= 1u << (v % 32), a &= ~(1u << (v % 31));
  const long expected[] = {n * (n - 1) / 2, (unsigned)-3 * n, (long)n << 33, o, a, x,
                           n % 65536,       n % 256,          n - 1};
  const long actual[] = {t->i,        t->u, t->l, t->bits_or,   t->bits_and,
                         t->bits_xor, t->s, t->c, (long)t->dmax};
  CHECK_SAME("contended", expected, actual, sizeof expected / sizeof *expected);
#if __has_builtin(__atomic_fetch_min)
  const int limits[] = {-(n - 1), n - 1, (n - 1) * 5}, got[] = {t->min, t->max, (int)t->umax};
  CHECK_SAME("minimum and maximum", limits, got, 3);
#endif
  const double sums[] = {n * 0.5, n * 0.25}, float_sums[] = {f[0], d[0]};
  CHECK_SAME("floating sums", sums, float_sums, 2);

  _Atomic int *counter = device_memory(2 * sizeof *counter);
  atomic_ulong *wide = device_memory(sizeof *wide);
  int *seen = device_memory(n * sizeof *seen);
  KA_CHECK(ka_launch(backend(), ka_range(n), standard(counter, wide, (_Atomic float *)f, seen, n)));
  KA_CHECK(ka_synchronize(backend()));
  char *once = calloc(n + 1, 1);
  long doubles = 0;
  for (int i = 0; i < n; i++)
    doubles += seen[i] < 1 || seen[i] > n || once[seen[i]]++;
  free(once);
  const long expected2[] = {n, 1, (long)n << 40, 0, 25, 35};
  const long actual2[] = {counter[0],        counter[1] >= 1 && counter[1] <= n,
                          (long)*wide,       doubles,
                          (long)(f[0] * 10), (long)(f[1] * 10)};
  CHECK_SAME("stdatomic", expected2, actual2, 6);

  int *out = device_memory(n * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(n), in_group(out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    int items = i / 64 == n / 64 ? n % 64 : 64, e = items * 1002;
    CHECK_SAME("group memory", &e, &out[i], 1);
  }
  return check_result();
}
