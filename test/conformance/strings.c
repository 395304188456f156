// Functions of <string.h> that read, on literals, tables, private and global memory.
#include "check.h"

static const char words[][12] = {"",         "a",      "ab",      "abc",   "abd",
                                 "\xff\x80", "kernel", "kernels", "Kernel"};
enum { count = sizeof words / sizeof *words };

static int sign(int x) { return (x > 0) - (x < 0); }
static int place(const char *base, const char *found) { return found ? (int)(found - base) : -1; }

// As many results for each pair of words as `results` says; `n` is no constant to the compiler.
enum { results = 11 };
static void compare(int *r, const char *a, const char *b, size_t n) {
  char own[12];
  memcpy(own, a, sizeof own);
  *r++ = (int)strlen(own);
  *r++ = (int)strnlen(b, n);
  *r++ = sign(strcmp(own, b));
  *r++ = sign(strncmp(a, b, n));
  *r++ = sign(memcmp(own, b, n));
  *r++ = sign(memcmp(a, own, sizeof own));
  *r++ = place(a, strchr(a, b[0]));
  *r++ = place(own, memchr(own, 'e' + 256, n));
  *r++ = sign(strcmp(a, "kernel"));
  *r++ = place(a, strchr(a, 0));
  *r++ = (int)strlen(&"constant"[n % 8]) + __builtin_memcmp(a, a, 5);
}
[[ka::kernel]] void all(int *out, const char (*global)[12]) {
  size_t i = ka_global_id(0), a = i / count % count, b = i % count;
  compare(out + i * results, a % 2 ? global[a] : words[a], words[b], i / count / count);
}

// Items beyond the range go along to the barrier, and their loops end.
[[ka::kernel, ka::group_size(8)]] void with_barrier(int *out, const char (*global)[12]) {
  ka_local int lengths[8];
  size_t l = ka_local_id(0);
  lengths[l] = (int)strlen(global[ka_global_id(0)]) + sign(strcmp(global[ka_global_id(0)], "ab"));
  ka_barrier();
  out[ka_global_id(0)] = lengths[0] * 100 + lengths[l];
}

int main(void) {
  enum { bounds = 9, items = bounds * count * count };
  char(*global)[12] = device_memory(sizeof words);
  memcpy(global, words, sizeof words);
  int *out = device_memory(items * results * sizeof *out), expected[results];
  KA_CHECK(ka_launch(backend(), ka_range(items), all(out, (const char(*)[12])global)));
  KA_CHECK(ka_synchronize(backend()));
  for (size_t i = 0; i < items; i++) {
    compare(expected, words[i / count % count], words[i % count], i / count / count);
    CHECK_SAME("strings", expected, &out[i * results], results);
  }
  KA_CHECK(ka_launch(backend(), ka_range(count), with_barrier(out, (const char(*)[12])global)));
  KA_CHECK(ka_synchronize(backend()));
  for (size_t i = 0; i < count; i++) {
    size_t first = i / 8 * 8;
    int own = (int)strlen(words[i]) + sign(strcmp(words[i], "ab"));
    int e = ((int)strlen(words[first]) + sign(strcmp(words[first], "ab"))) * 100 + own;
    CHECK_SAME("with a barrier", &e, &out[i], 1);
  }
  return check_result();
}
