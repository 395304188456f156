// memcpy, memmove and memset of known and unknown length, unaligned access, aliasing.
#include "check.h"

static void blocks(unsigned char *p, size_t n, unsigned seed) {
  // p has 256 bytes.
  memset(p, (int)seed, n);
  memset(p + 100, 0xab, 13);
  memset(p + 120, 0, 24);
  memcpy(p + 150, p + 90, n / 2);
  memcpy(p + 200, "a literal of some length", 24);
  memmove(p + 3, p, n);
  memmove(p, p + 5, n / 3);
  memcpy(p + 230, &seed, sizeof seed);
  unsigned long word;
  memcpy(&word, p + 97, sizeof word);
  word += seed;
  memcpy(p + 241, &word, sizeof word);
}

[[ka::kernel]] void all(unsigned char *p, const size_t *lengths) {
  size_t i = ka_global_id(0);
  blocks(p + i * 256, lengths[i], (unsigned)i * 40503u);
}

// A private buffer, addressed at run time.
static unsigned in_private(const unsigned char *p, size_t n) {
  unsigned char mine[64] = {1, 2, 3}, other[64];
  memcpy(mine + n % 8, p, n);
  memmove(mine + 1, mine, 40);
  memcpy(other, mine, sizeof other);
  memset(other + n, 7, 3);
  unsigned r = 0;
  for (size_t i = 0; i < sizeof other; i++)
    r = r * 31 + other[i];
  return r;
}

[[ka::kernel]] void private_memory(const unsigned char *p, unsigned *out) {
  size_t i = ka_global_id(0);
  out[i] = in_private(p + i, i % 32);
}

// char* makes no promise of alignment.
[[ka::kernel]] void unaligned(const char *from, char *to) {
  size_t i = ka_global_id(0);
  to[i] = from[i];
}

// Both parameters point to the same memory; const is no promise that nobody writes.
[[ka::kernel]] void aliased(int *x, const int *y) {
  size_t i = ka_global_id(0);
  x[i] += y[i];
  x[i] += y[i];
}

// A linked list in memory that the host built.
struct node {
  struct node *next;
  int value;
};

[[ka::kernel]] void list(const struct node *head, int *out) {
  int sum = 0;
  for (const struct node *n = head; n; n = n->next)
    sum = sum * 3 + n->value;
  out[ka_global_id(0)] = sum + (int)ka_global_id(0);
}

int main(void) {
  enum { n = 60 };
  unsigned char *p = device_memory(n * 256), expected[256];
  size_t *lengths = device_memory(n * sizeof *lengths);
  for (int i = 0; i < n; i++)
    lengths[i] = (size_t)i;
  for (int i = 0; i < n * 256; i++)
    p[i] = (unsigned char)(i * 7);
  unsigned char *before = malloc(n * 256);
  memcpy(before, p, n * 256);
  KA_CHECK(ka_launch(backend(), ka_range(n), all(p, lengths)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    memcpy(expected, before + i * 256, 256);
    blocks(expected, lengths[i], (unsigned)i * 40503u);
    CHECK_SAME("blocks", expected, p + i * 256, 256);
  }
  free(before);

  unsigned *out = device_memory(n * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(n), private_memory(p, out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    unsigned e = in_private(p + i, (size_t)i % 32);
    CHECK_SAME("private memory", &e, &out[i], 1);
  }

  char *from = device_memory(200), *to = device_memory(200);
  for (int i = 0; i < 200; i++)
    from[i] = (char)(i * 3);
  KA_CHECK(ka_launch(backend(), ka_range(100), unaligned(from + 1, to + 3)));
  KA_CHECK(ka_synchronize(backend()));
  CHECK_SAME("unaligned", from + 1, to + 3, 100);

  int *x = device_memory(n * sizeof *x);
  for (int i = 0; i < n; i++)
    x[i] = i;
  KA_CHECK(ka_launch(backend(), ka_range(n), aliased(x, x)));
  struct node *nodes = device_memory(5 * sizeof *nodes);
  for (int i = 0; i < 5; i++)
    nodes[i] = (struct node){i < 4 ? &nodes[i + 1] : NULL, i + 1};
  KA_CHECK(ka_launch(backend(), ka_range(n), list(nodes, (int *)out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    int e = 4 * i, l = (((1 * 3 + 2) * 3 + 3) * 3 + 4) * 3 + 5 + i;
    CHECK_SAME("aliased", &e, &x[i], 1);
    CHECK_SAME("list", &l, (int *)&out[i], 1);
  }
  return check_result();
}
