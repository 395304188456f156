// Constant data: local and file-scope tables, strings, structures, tables of pointers, large ones.
#include "check.h"

static const int squares[64] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, [60] = 3600, 3721, 3844, 3969};
static const char message[] = "constant data";
struct entry {
  char key;
  double value;
  const char *name;
  short codes[3];
};
static const struct entry entries[] = {
    {'a', 1.5, "first", {1, 2, 3}},
    {'b', -2.25, "second", {-4, 5}},
    {'c', 1e100, "third", {0}},
};
static const float weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
static const unsigned char nothing[300] = {0};
static const int tentative[8]; // all zero
static const int declared_first[4];
static const int declared_first[4] = {9, 8, 7, 6};
static const int *const rows[] = {squares, squares + 32, &squares[60]};

static long look_up(unsigned i) {
  const int local[4] = {11, 22, 33, 44};
  static const long inner[] = {1L << 40, -1, 7};
  long r = squares[i % 64] + local[i & 3] + inner[i % 3] + nothing[i % 300];
  r += tentative[i % 8] + declared_first[i % 4];
  r += message[i % sizeof message];
  const struct entry *e = &entries[i % 3];
  r += e->key + e->codes[i % 3];
  if (e->value < 100)
    r += (long)(e->value * 4);
  r += e->name[i % 5];
  r += (long)weights[i % 3][i / 3 % 3];
  r += rows[i % 3][i % 4];
  r += "literal"[i % 7];
  const char *word = i % 2 ? "odd" : "even";
  for (int k = 0; word[k]; k++)
    r = r * 2 + word[k];
  return r;
}

[[ka::kernel]] void look_ups(long *out) {
  out[ka_global_id(0)] = look_up((unsigned)ka_global_id(0));
}

// A zeroed structure of 4 KB in private memory.
struct page {
  int words[1024];
};
static long sum_page(unsigned i) {
  struct page p = {0};
  p.words[i % 1024] = (int)i;
  p.words[(i * 7) % 1024] += 3;
  long s = 0;
  for (int k = 0; k < 1024; k += 1)
    s += p.words[k] * (long)(k + 1);
  return s;
}

[[ka::kernel]] void pages(long *out) { out[ka_global_id(0)] = sum_page((unsigned)ka_global_id(0)); }

int main(void) {
  enum { n = 500 };
  long *out = device_memory(n * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(n), look_ups(out)));
  KA_CHECK(ka_synchronize(backend()));
  for (unsigned i = 0; i < n; i++) {
    long e = look_up(i);
    CHECK_SAME("tables", &e, &out[i], 1);
  }
  KA_CHECK(ka_launch(backend(), ka_range(n), pages(out)));
  KA_CHECK(ka_synchronize(backend()));
  for (unsigned i = 0; i < n; i++) {
    long e = sum_page(i);
    CHECK_SAME("pages", &e, &out[i], 1);
  }
  return check_result();
}
