// KISS FFT, as it is, with integers of FIXED_POINT bits or float: its butterflies, stage after
// stage, in group memory and in device memory, against its own kiss_fft() on the host.
#include "check.h"
#undef NDEBUG
// Or its errors are printed to stderr.
#define NDEBUG
// It allocates what a butterfly of a large prime needs, and the copy of a transform in place.
enum { largest_prime = 13 };
#define KISS_FFT_MALLOC(bytes)                                                                     \
  ((bytes) <= sizeof(kiss_fft_cpx[largest_prime]) ? (kiss_fft_cpx[largest_prime]){0} : NULL)
#define KISS_FFT_FREE(memory) ((void)(memory))
#include "kiss_fft.c"

enum { longest = 240, group = 8 };
static const int lengths[] = {1, 2, 3, 5, 12, 28, 64, 100, 128, 143, longest};
enum { transforms = 2 * sizeof lengths / sizeof *lengths };
struct plan {
  struct kiss_fft_state state;
  kiss_fft_cpx more_twiddles[longest - 1];
};

// What kf_work() does by calling itself, which kernels cannot: the input in the order of the last
// stage's parts, and each stage's parts combined. Items may share the work.
static kiss_fft_cpx ordered(kiss_fft_cfg plan, const kiss_fft_cpx *in, int place) {
  size_t from = 0, stride = 1;
  int *factors = plan->factors, p, m;
  do {
    p = *factors++, m = *factors++;
    from += stride * (size_t)(place / m);
    place %= m, stride *= (size_t)p;
  } while (m > 1);
  return in[from];
}
static int stages(kiss_fft_cfg plan) {
  int count = 1;
  for (int *factors = plan->factors; factors[1] > 1; factors += 2)
    count++;
  return count;
}
static void combine(kiss_fft_cfg plan, kiss_fft_cpx *out, int stage, int first, int step) {
  int p = plan->factors[2 * stage], m = plan->factors[2 * stage + 1], parts = plan->nfft / (p * m);
  for (int part = first; part < parts; part += step) {
    kiss_fft_cpx *at = out + part * p * m;
    size_t stride = (size_t)parts;
    switch (p) {
    case 2:
      kf_bfly2(at, stride, plan, m);
      break;
    case 3:
      kf_bfly3(at, stride, plan, m);
      break;
    case 4:
      kf_bfly4(at, stride, plan, (size_t)m);
      break;
    case 5:
      kf_bfly5(at, stride, plan, m);
      break;
    default:
      kf_bfly_generic(at, stride, plan, m, p);
    }
  }
}

[[ka::kernel, ka::group_size(group)]] void by_groups(struct plan *plans, const kiss_fft_cpx *in,
                                                     kiss_fft_cpx *out) {
  ka_local kiss_fft_cpx work[longest];
  kiss_fft_cfg plan = &plans[ka_group_id(0)].state;
  int item = (int)ka_local_id(0), n = plan->nfft;
  for (int i = item; i < n; i += group)
    work[i] = ordered(plan, in, i);
  for (int stage = stages(plan); stage-- > 0;) {
    ka_barrier();
    combine(plan, work, stage, item, group);
  }
  ka_barrier();
  for (int i = item; i < n; i += group)
    out[ka_group_id(0) * longest + (size_t)i] = work[i];
}

[[ka::kernel]] void by_items(struct plan *plans, const kiss_fft_cpx *in, kiss_fft_cpx *out) {
  kiss_fft_cfg plan = &plans[ka_global_id(0)].state;
  out += ka_global_id(0) * longest;
  for (int i = 0; i < plan->nfft; i++)
    out[i] = ordered(plan, in, i);
  for (int stage = stages(plan); stage-- > 0;)
    combine(plan, out, stage, 0, 1);
}

// How lengths are taken apart.
static int factored(int n) {
  int factors[2 * MAXFACTORS] = {0};
  kf_factor(n, factors);
  int r = kiss_fft_next_fast_size(n);
  for (int i = 0; i < 2 * MAXFACTORS; i++)
    r = r * 31 + factors[i];
  return r;
}
[[ka::kernel]] void factor(int *out) { out[ka_global_id(0)] = factored((int)ka_global_id(0) + 1); }

int main(void) {
  struct plan *plans = device_memory(transforms * sizeof *plans);
  kiss_fft_cpx *in = device_memory(longest * sizeof *in), *out[2],
               expected[transforms * longest] = {0};
  // Well within the numbers that fixed point has.
  for (int i = 0; i < longest; i++)
    in[i] = (kiss_fft_cpx){(kiss_fft_scalar)(i * i % 8101 - 4000),
                           (kiss_fft_scalar)(i * 977 % 7919 - 3900)};
  for (int t = 0; t < transforms; t++) {
    size_t bytes = sizeof *plans;
    kiss_fft_cfg plan = kiss_fft_alloc(lengths[t / 2], t % 2, &plans[t], &bytes);
    kiss_fft(plan, in, expected + t * longest);
  }
  for (int i = 0; i < 2; i++)
    out[i] = device_memory(sizeof expected);
  KA_CHECK(ka_launch(backend(), ka_range(transforms * group), by_groups(plans, in, out[0])));
  KA_CHECK(ka_launch(backend(), ka_range(transforms), by_items(plans, in, out[1])));
  enum { numbers = 1000 };
  int *factors = device_memory(numbers * sizeof *factors), expected_factors[numbers];
  for (int n = 0; n < numbers; n++)
    expected_factors[n] = factored(n + 1);
  KA_CHECK(ka_launch(backend(), ka_range(numbers), factor(factors)));
  KA_CHECK(ka_synchronize(backend()));
  for (int t = 0; t < transforms; t++) {
    int from = t * longest;
    CHECK_SAME("by groups", expected + from, out[0] + from, longest);
    CHECK_SAME("by items", expected + from, out[1] + from, longest);
  }
  CHECK_SAME("factors", expected_factors, factors, numbers);
  return check_result();
}
