// Kernels for the runtime tests, as OpenCL C: what kacc makes of a C kernel, written by hand.
// kernels.c describes them.

kernel void empty(void) {}

kernel void saxpy(float a, global const float *restrict x, global float *restrict y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}

kernel void saxpy__ka_padded(float a, global const float *restrict x, global float *restrict y,
                             ulong nx, ulong ny, ulong nz) {
  size_t i = get_global_id(0);
  if (i >= nx)
    return;
  y[i] += a * x[i];
}

// Adds one to the element of each work-item of a range of up to three dimensions, and stores its
// ids: id[0..2] of the item, counted without the offset.
kernel void visit(global int *count, global ulong *ids) {
  size_t x = get_global_id(0) - get_global_offset(0);
  size_t y = get_global_id(1) - get_global_offset(1);
  size_t z = get_global_id(2) - get_global_offset(2);
  size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  atomic_inc(&count[at]);
  ids[3 * at] = get_global_id(0);
  ids[3 * at + 1] = get_global_id(1);
  ids[3 * at + 2] = get_global_id(2);
}

kernel void visit__ka_padded(global int *count, global ulong *ids, ulong nx, ulong ny, ulong nz) {
  size_t x = get_global_id(0) - get_global_offset(0);
  size_t y = get_global_id(1) - get_global_offset(1);
  size_t z = get_global_id(2) - get_global_offset(2);
  if (x >= nx || y >= ny || z >= nz)
    return;
  size_t at = (z * ny + y) * nx + x;
  atomic_inc(&count[at]);
  ids[3 * at] = get_global_id(0);
  ids[3 * at + 1] = get_global_id(1);
  ids[3 * at + 2] = get_global_id(2);
}

// What a launch was divided into.
kernel void groups(global ulong *sizes) {
  if (get_global_id(0) == get_global_offset(0) && get_global_id(1) == get_global_offset(1) &&
      get_global_id(2) == get_global_offset(2))
    for (int d = 0; d < 3; d++) {
      sizes[d] = get_local_size(d);
      sizes[3 + d] = get_global_size(d);
    }
}

// The same, without a padded variant, for a static group size of 8 x 4.
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed_groups(global ulong *sizes) {
  if (get_global_id(0) == 0 && get_global_id(1) == 0)
    for (int d = 0; d < 3; d++) {
      sizes[d] = get_local_size(d);
      sizes[3 + d] = get_global_size(d);
    }
}

// Sums each group in group memory that the launch sizes.
kernel void group_sum(global const int *in, global int *out, local int *scratch) {
  size_t l = get_local_id(0), n = get_local_size(0);
  scratch[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    int sum = 0;
    for (size_t i = 0; i < n; i++)
      sum += scratch[i];
    out[get_group_id(0)] = sum;
  }
}

// Has group memory that it does not touch.
kernel void spare_local(global int *out, local int *scratch) { *out = 5; }

struct inner {
  ulong q;
};

struct pair {
  ulong p; // pointers to int
  struct inner in;
  int n;
};

kernel void add_pair(struct pair pair) {
  size_t i = get_global_id(0);
  if (i < pair.n)
    ((global int *)pair.p)[i] += ((global int *)pair.in.q)[i];
}

// Runs for a time that grows with `rounds`, then adds one to p[0].
kernel void slow(global int *p, ulong rounds) {
  uint x = 1;
  for (ulong i = 0; i < rounds; i++)
    x = x * 1664525u + 1013904223u + (x >> 7);
  p[0] += 1;
  p[1] = x;
}

// Says that it runs, and waits until another kernel says so too, or for so many rounds.
kernel void meet(global int *mine, global int *other, ulong most, global int *met) {
  atomic_xchg(mine, 1);
  int seen = 0;
  for (ulong i = 0; i < most && !seen; i++)
    seen = atomic_or(other, 0);
  *met = seen;
}

// Whether a pointer is null.
kernel void is_null(global int *out, global const int *p) { *out = p == 0; }

kernel void many(global ulong *out, ulong a0, ulong a1, ulong a2, ulong a3, ulong a4, ulong a5,
                 ulong a6, ulong a7, ulong a8, ulong a9, ulong a10, ulong a11, ulong a12,
                 ulong a13, ulong a14, ulong a15, ulong a16, ulong a17, ulong a18, ulong a19,
                 ulong a20, ulong a21, ulong a22, ulong a23, ulong a24, ulong a25, ulong a26,
                 ulong a27, ulong a28, ulong a29, ulong a30, ulong a31, ulong a32, ulong a33,
                 ulong a34, ulong a35, ulong a36, ulong a37, ulong a38) {
  *out = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15 +
         a16 + a17 + a18 + a19 + a20 + a21 + a22 + a23 + a24 + a25 + a26 + a27 + a28 + a29 + a30 +
         a31 + a32 + a33 + a34 + a35 + a36 + a37 + 2 * a38;
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

// Counts its work-items, for ranges larger than memory.
kernel void tally(global ulong *total, ulong least) {
  if (get_global_id(0) >= least)
    atom_inc(total);
}

kernel void tally__ka_padded(global ulong *total, ulong least, ulong nx, ulong ny, ulong nz) {
  if (get_global_id(0) < nx && get_global_id(0) >= least)
    atom_inc(total);
}

// 1, 4 and 200 arguments; a structure as the only one; 64 structures of 64 bytes.
kernel void one(global ulong *out) { *out = 1; }

kernel void few(global ulong *out, ulong a0, ulong a1, ulong a2) { *out = a0 + a1 + 2 * a2; }

#define TEN(what, separator, t)                                                                    \
  what(t##0) separator() what(t##1) separator() what(t##2) separator() what(t##3) separator()      \
  what(t##4) separator() what(t##5) separator() what(t##6) separator() what(t##7) separator()      \
  what(t##8) separator() what(t##9)
#define COMMA() ,
#define PLUS()  +
#define TAKE(i) ulong a##i
#define GIVE(i) a##i
#define HUNDREDS(what, separator)                                                                  \
  TEN(what, separator, 10) separator() TEN(what, separator, 11) separator()                        \
  TEN(what, separator, 12) separator() TEN(what, separator, 13) separator()                        \
  TEN(what, separator, 14) separator() TEN(what, separator, 15) separator()                        \
  TEN(what, separator, 16) separator() TEN(what, separator, 17) separator()                        \
  TEN(what, separator, 18) separator() TEN(what, separator, 19) separator()                        \
  TEN(what, separator, 20) separator() TEN(what, separator, 21) separator()                        \
  TEN(what, separator, 22) separator() TEN(what, separator, 23) separator()                        \
  TEN(what, separator, 24) separator() TEN(what, separator, 25) separator()                        \
  TEN(what, separator, 26) separator() TEN(what, separator, 27) separator()                        \
  TEN(what, separator, 28) separator()                                                             \
  what(290) separator() what(291) separator() what(292) separator() what(293) separator()          \
  what(294) separator() what(295) separator() what(296) separator() what(297) separator()          \
  what(298)

kernel void hundreds(global ulong *out, HUNDREDS(TAKE, COMMA)) {
  *out = HUNDREDS(GIVE, PLUS) + a298;
}

struct bundled {
  ulong out; // pointer to ulong
  ulong a[7];
};

kernel void bundled(struct bundled all) {
  ulong sum = all.a[6];
  for (int i = 0; i < 7; i++)
    sum += all.a[i];
  *(global ulong *)all.out = sum;
}

struct block {
  ulong a[8];
};
#undef TAKE
#undef GIVE
#define TAKE(i) struct block b##i
#define GIVE(i) sum(b##i)
#define BLOCKS(what, separator)                                                                    \
  TEN(what, separator, 1) separator() TEN(what, separator, 2) separator()                          \
  TEN(what, separator, 3) separator() TEN(what, separator, 4) separator()                          \
  TEN(what, separator, 5) separator() TEN(what, separator, 6) separator()                          \
  what(70) separator() what(71) separator() what(72) separator() what(73)

ulong sum(struct block b) {
  ulong s = 0;
  for (int i = 0; i < 8; i++)
    s += b.a[i];
  return s;
}

kernel void blocks(global ulong *out, BLOCKS(TAKE, COMMA)) { *out = BLOCKS(GIVE, PLUS) + sum(b73); }

// All arguments but the first come in a copy of the tuple.
struct args_spilled {
  ulong out, more; // pointers to ulong
  struct block b[32];
};
kernel void spilled(global ulong *out, global const struct args_spilled *copy) {
  ulong total = *(global const ulong *)copy->more;
  for (int i = 0; i < 32; i++)
    total += sum(copy->b[i]);
  *out += total;
}

// One parameter of each kind.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
struct triple {
  int a, b, c;
};

kernel void mixed(global double *out, float f, double d, int i, ulong n, short s, uchar u,
                  struct triple t, global const float *restrict x, local int *scratch) {
  size_t l = get_local_id(0);
  scratch[l] = t.a * 100 + t.b * 10 + t.c + (int)l;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    out[0] = f;
    out[1] = d;
    out[2] = i;
    out[3] = n;
    out[4] = s;
    out[5] = u;
    out[6] = scratch[get_local_size(0) - 1];
    out[7] = x[1];
  }
}

// What kacc makes of a kernel that may fail: the items from `first` on do.
struct mailbox {
  uint failed, site;
  ulong launch, global_id[3], group_id[3];
  ulong prints;
};

void fail(uint site, global struct mailbox *mailbox, ulong launch) {
  if (atomic_cmpxchg(&mailbox->failed, 0u, 1u) != 0)
    return;
  mailbox->site = site;
  mailbox->launch = launch;
  for (int d = 0; d < 3; d++) {
    mailbox->global_id[d] = get_global_id(d);
    mailbox->group_id[d] = get_group_id(d);
  }
}

kernel void picky(global int *out, ulong first, global struct mailbox *mailbox, ulong launch) {
  size_t i = get_global_id(0);
  if (i >= first)
    fail(i % 2, mailbox, launch);
  else
    out[i] = 1;
}

kernel void picky__ka_padded(global int *out, ulong first, global struct mailbox *mailbox,
                             ulong launch, ulong nx, ulong ny, ulong nz) {
  size_t i = get_global_id(0);
  if (i - get_global_offset(0) >= nx || get_global_id(1) - get_global_offset(1) >= ny ||
      get_global_id(2) - get_global_offset(2) >= nz)
    return;
  if (i >= first)
    fail(i % 2, mailbox, launch);
  else
    out[i] = 1;
}

kernel void says(global ulong *buffer, global struct mailbox *mailbox, ulong launch) {
  *buffer = mailbox->prints;
}
