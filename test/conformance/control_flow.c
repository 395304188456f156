// Control flow: switches, loops in loops, goto, early returns, unreachable code, helpers.
#include "check.h"

static int switches(unsigned x) {
  int r = 0;
  switch (x & 0xf) {
  case 0:
    r = 3;
    break;
  case 1:
    r += 5; // falls through
  case 2:
    r += 7;
    break;
  case 7:
  case 8:
  case 9:
    r = (int)(x >> 3);
    break;
  case 15:
    return -1;
  }
  switch (x % 7) {
  case 3:
    switch (x % 5) {
    case 0:
      r ^= 0x55;
      break;
    case 1:
      r ^= 0xaa; // falls through
    default:
      r += 2;
    }
    break;
  case 5:
    r -= 4;
    break;
  }
  switch ((long)x << 31) {
  case 1L << 31:
    r += 100;
    break;
  case 5L << 31:
    r += 200;
    break;
  default:
    break;
  }
  switch ((signed char)x) {
  case -1:
    r += 1000;
    break;
  case -128:
    r += 2000;
    break;
  case 127:
    r += 3000;
    break;
  }
  return r;
}

static int loops(unsigned x) {
  int r = 0;
  for (unsigned i = 0; i < x % 9; i++) {
    if (i == 2)
      continue;
    for (unsigned j = i; j < 6; j++) {
      switch ((x + j) % 5) {
      case 0:
        continue;
      case 1:
        r += 3;
        break;
      case 4:
        goto next;
      default:
        r ^= (int)(i * j);
        break;
      }
      if (r > 50)
        break;
    }
  next:
    r += (int)i;
  }
  do {
    r = r * 3 + 1;
    x /= 2;
  } while (x);
  return r;
}

// Loops with hints: none, some and all turns are left over by the unrolled part, and one is left.
static int unrolled(unsigned x) {
  unsigned r = 0;
  KA_UNROLL_N(4)
  for (unsigned i = 0; i < x % 11; i++) {
    if ((r ^ i) % 7 == 3)
      continue;
    r = r * 3 + (i ^ x);
  }
  KA_UNROLL_N(3)
  for (unsigned i = 0; i < 10; i++)
    r ^= r << (i % 3);
  KA_UNROLL
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = i; j < x % 5; j++)
      r += i * 10 + j;
  KA_UNROLL
  for (unsigned v = 0; v < 5; v++) {
    r += v ^ x;
    if (r % 11 == 0)
      break;
  }
#pragma clang loop unroll(full)
  for (unsigned i = 0; i < 3; i++)
    r = r * 5 + i;
  KA_UNROLL_N(1)
  for (unsigned i = x % 4; i < 3; i++)
    r -= i;
  return (int)(r >> 1);
}

// Into the middle of a loop: a control flow that has no natural loop header.
static int irreducible(unsigned x) {
  int r = 0, n = 0;
  if (x & 1)
    goto middle;
top:
  r += 2;
  if (++n > 20)
    return r;
middle:
  r = r * 5 + (int)(x & 7);
  if (r % 3)
    goto top;
  return r + n;
}

static int collatz(unsigned x) {
  int steps = 0;
  for (unsigned long v = x + 1; v != 1; steps++)
    v = v % 2 ? 3 * v + 1 : v / 2;
  return steps;
}

static int declared_impossible(unsigned x) {
  switch (x % 3) {
  case 0:
    return 4;
  case 1:
    return 5;
  case 2:
    return 6;
  default:
    __builtin_unreachable();
  }
}

static bool logic(unsigned x, bool a, bool b) {
  bool c = (x & 4) || (a && !b), d = a ^ b;
  bool t[3] = {c, d, (x & 8) != 0};
  t[x % 3] |= x % 11 == 0;
  return (t[0] | t[1]) & !(t[2] && c != d);
}

static int early(unsigned x) {
  if (x % 13 == 0)
    return 1;
  int r = 0;
  for (unsigned i = 0;; i++) {
    if (i * i > x)
      return r;
    if (i == 9)
      break;
    r += (int)i;
  }
  return -r;
}

static int choose_pointer(unsigned x, const int *a, const int *b) {
  int mine[4] = {(int)x, 2, 3, 4};
  const int *p = x % 3 == 0 ? a : x % 3 == 1 ? b : mine;
  int r = 0;
  for (int i = 0; i < 4; i++)
    r = r * 10 + p[i];
  return r;
}

#define CASES 9
static int one(int which, unsigned x, const int *a, const int *b) {
  switch (which) {
  case 0:
    return switches(x);
  case 1:
    return loops(x);
  case 2:
    return irreducible(x);
  case 3:
    return collatz(x);
  case 8:
    return unrolled(x);
  case 4:
    return declared_impossible(x);
  case 5:
    return logic(x, x & 1, x & 2);
  case 6:
    return early(x);
  default:
    return choose_pointer(x, a, b);
  }
}

[[ka::kernel]] void all(int *out, const int *a, const int *b, int n) {
  size_t i = ka_global_id(0);
  out[i] = one((int)i / n, (unsigned)i % n, a, b);
}

[[ka::kernel]] void returns(int *out, int limit) {
  size_t i = ka_global_id(0);
  if (i % 5 == 3)
    return;
  out[i] = 1;
  if ((int)i > limit)
    return;
  out[i] = 2;
}

struct adder {
  int *to, by;
};
static void add(struct adder *a) { *a->to += a->by; }
static int cleaned(unsigned x) {
  int total = 1;
  for (unsigned k = 0; k < x % 7; k++) {
    __attribute__((cleanup(add))) struct adder later = {&total, (int)k + 1};
    if (k == 2)
      continue;
    total *= 2;
  }
  return total;
}
[[ka::kernel]] void clean(int *o) { o[ka_global_id(0)] = cleaned((unsigned)ka_global_id(0)); }

int main(void) {
  enum { n = 1000 };
  int *out = device_memory(CASES * n * sizeof *out);
  int *a = device_memory(4 * sizeof *a), *b = device_memory(4 * sizeof *b);
  for (int i = 0; i < 4; i++)
    a[i] = i, b[i] = 9 - i;
  KA_CHECK(ka_launch(backend(), ka_range(CASES * n), all(out, a, b, n)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < CASES * n; i++) {
    int e = one(i / n, (unsigned)i % n, a, b);
    CHECK_SAME("function", &e, &out[i], 1);
    if (check_failures)
      return fprintf(stderr, "function %d of %d\n", i / n, i % n), 1;
  }
  memset(out, 0, n * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(n), returns(out, 500)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    int e = i % 5 == 3 ? 0 : i > 500 ? 1 : 2;
    CHECK_SAME("returns", &e, &out[i], 1);
  }
  KA_CHECK(ka_launch(backend(), ka_range(n), clean(out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    int e = cleaned((unsigned)i);
    CHECK_SAME("cleanup", &e, &out[i], 1);
  }
  return check_result();
}
