// xxHash, as it is: hashes of 32 and 64 bits of any length, and XXH3 of up to 128 bytes. (For more
// XXH3 has inline assembly and calls through pointers.)
#include "check.h"
// The kernel has neither vector instructions of a processor nor integers of 128 bits.
#define XXH_VECTOR 0
#undef __SIZEOF_INT128__
#define XXH_INLINE_ALL
#include <xxhash.h>

static void text_of(unsigned char *text, int n) {
  for (int i = 0; i < 250; i++)
    text[i] = (unsigned char)(i * 7 + n * 31 + (i >> 3));
}
static XXH64_hash_t short_xxh3(const unsigned char *text, size_t length, XXH64_hash_t seed) {
  if (length <= 16)
    return XXH3_len_0to16_64b(text, length, XXH3_kSecret, seed);
  return XXH3_len_17to128_64b(text, length, XXH3_kSecret, sizeof XXH3_kSecret, seed);
}

static unsigned long hashes_of_32(int n) {
  unsigned char text[250];
  text_of(text, n);
  unsigned long r = 0;
  for (int length = n; length < 250; length += 50)
    MIX(r, XXH32(text, (size_t)length, (unsigned)n));
  return r;
}
static unsigned long hashes_of_64(int n) {
  unsigned char text[250];
  text_of(text, n);
  unsigned long r = 0;
  for (int length = n; length < 250; length += 50)
    MIX(r, XXH64(text + n % 3, (size_t)length - (size_t)(length > 247) * 3, (unsigned)n));
  return r;
}
static unsigned long xxh3(int n) {
  unsigned char text[250];
  text_of(text, n);
  unsigned long r = 0;
  for (int length = n; length <= 128; length += 27) {
    XXH128_hash_t h = length <= 16 ? XXH3_len_0to16_128b(text, (size_t)length, XXH3_kSecret, 5)
                                   : XXH3_len_17to128_128b(text, (size_t)length, XXH3_kSecret,
                                                           sizeof XXH3_kSecret, 5);
    MIX(r, short_xxh3(text, (size_t)length, (unsigned)n)), MIX(r, h.low64), MIX(r, h.high64);
  }
  return r;
}
// In pieces of every length, the state in private memory.
static unsigned long streams(int n) {
  unsigned char text[250];
  text_of(text, n);
  XXH32_state_t a;
  XXH64_state_t b;
  XXH32_reset(&a, 1), XXH64_reset(&b, 2);
  for (int i = 0, length = n % 5; i + length <= 250; i += length, length = length * 2 + 1)
    XXH32_update(&a, text + i, (size_t)length), XXH64_update(&b, text + i, (size_t)length);
  unsigned long r = XXH32_digest(&a);
  return MIX(r, XXH64_digest(&b));
}

// What the algorithm's description and its library say of these.
static unsigned long known(int n) {
  static const char abc[] = "abc", longer[] = "Nobody inspects the spammish repetition";
  switch (n % 7) {
  case 0:
    return XXH32("", 0, 0) ^ 0x02cc5d05;
  case 1:
    return XXH32(abc, 3, 0) ^ 0x32d153ff;
  case 2:
    return XXH32(longer, sizeof longer - 1, 0) ^ 0xe2293b2f;
  case 3:
    return XXH64("", 0, 0) ^ 0xef46db3751d8e999;
  case 4:
    return XXH64(abc, 3, 0) ^ 0x44bc2cf5ad770999;
  case 5:
    return XXH64(longer, sizeof longer - 1, 0) ^ 0xfbcea83c8a378bf1;
  default:
    return short_xxh3((const unsigned char *)"", 0, 0) ^ 0x2d06800538d394c2;
  }
}

#define CASES(X)                                                                                   \
  X(hashes_of_32)                                                                                  \
  X(hashes_of_64)                                                                                  \
  X(xxh3)                                                                                          \
  X(streams)
#define ZERO_CASES(X) X(known)
#define CASE_GROUPS   7
#include "cases.h"
