// libsodium, as it is: its portable SipHash, SHA-256, ChaCha20 and Poly1305.
#include "check.h"
// It wipes memory and compares secrets in files of their own, which are of processors and systems.
#include "crypto_verify_16.h"
#include "utils.h"
#define sodium_memzero(memory, bytes) memset(memory, 0, bytes)
#define crypto_verify_16(a, b)        memcmp(a, b, 16)
#include "crypto_hash/sha256/cp/hash_sha256_cp.c"
#include "crypto_onetimeauth/poly1305/donna/poly1305_donna.c"
#include "crypto_shorthash/siphash24/ref/shorthash_siphash24_ref.c"
#include "crypto_shorthash/siphash24/ref/shorthash_siphashx24_ref.c"
#undef ROTATE
#include "crypto_stream/chacha20/ref/chacha20_ref.c"

// 0, 1, 2 …, also a key.
static void count(unsigned char *text, int bytes) {
  for (int i = 0; i < bytes; i++)
    text[i] = (unsigned char)i;
}
static unsigned long mixed(const unsigned char *bytes, int count) {
  unsigned long r = 0;
  for (int i = 0; i < count; i++)
    MIX(r, bytes[i]);
  return r;
}
static unsigned long different(const void *a, const void *b, size_t bytes) {
  return memcmp(a, b, bytes) != 0;
}

// Of every length, the last bytes of which are another branch each.
static unsigned long siphash(int n) {
  unsigned char text[50], key[16], out[24];
  count(text, 50), count(key, 16);
  key[n % 16] ^= (unsigned char)n;
  crypto_shorthash_siphash24(out, text, (size_t)n, key);
  crypto_shorthash_siphashx24(out + 8, text, (size_t)n, key);
  return mixed(out, 24);
}
// In pieces and over two blocks.
static unsigned long sha256(int n) {
  unsigned char text[150], out[32];
  count(text, 150);
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  for (int i = 0, length = n; length <= 150 - i; i += length, length = length / 2 + 30)
    crypto_hash_sha256_update(&state, text + i, (size_t)length);
  crypto_hash_sha256_final(&state, out);
  return mixed(out, 32);
}
static unsigned long chacha20(int n) {
  unsigned char text[150], key[32];
  count(text, 150), count(key, 32);
  stream_ietf_ext_ref_xor_ic(text, text, (size_t)n * 3, key + n % 20, (unsigned)n * 99999999u, key);
  return mixed(text, 150);
}
static unsigned long poly1305(int n) {
  unsigned char text[150], key[32], out[16];
  count(text, 150), count(key, 32);
  key[n % 32] ^= (unsigned char)(n * 5);
  crypto_onetimeauth_poly1305_donna(out, text, (size_t)n * 3, key);
  return mixed(out, 16);
}

// What the authors' vectors, FIPS 180 and RFC 8439 have.
static unsigned long known(int n) {
  static const unsigned char hashes[3][8] = {{0x31, 0x0e, 0x0e, 0xdd, 0x47, 0xdb, 0x6f, 0x72},
                                             {0xfd, 0x67, 0xdc, 0x93, 0xc5, 0x39, 0xf8, 0x74},
                                             {0x5a, 0x4f, 0xa9, 0xd9, 0x09, 0x80, 0x6c, 0x0d}},
                             longer_hash[] = {0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6,
                                              0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93},
                             abc[] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
                                      0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
                                      0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
                                      0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad},
                             nonce[] = {0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0},
                             stream[] = {0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15,
                                         0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4},
                             one_time_key[] = {0x85, 0xd6, 0xbe, 0x78, 0x57, 0x55, 0x6d, 0x33,
                                               0x7f, 0x44, 0x52, 0xfe, 0x42, 0xd5, 0x06, 0xa8,
                                               0x01, 0x03, 0x80, 0x8a, 0xfb, 0x0d, 0xb2, 0xfd,
                                               0x4a, 0xbf, 0xf6, 0xaf, 0x41, 0x49, 0xf5, 0x1b},
                             tag[] = {0xa8, 0x06, 0x1d, 0xc1, 0x30, 0x51, 0x36, 0xc6,
                                      0xc2, 0x2b, 0x8b, 0xaf, 0x0c, 0x01, 0x27, 0xa9};
  static const char group[] = "Cryptographic Forum Research Group";
  unsigned char text[32], key[32], out[32] = {0};
  count(text, 32), count(key, 32);
  switch (n % 5) {
  case 0:
    crypto_shorthash_siphash24(out, text, (size_t)n % 3, key);
    return different(out, hashes[n % 3], 8);
  case 1:
    crypto_shorthash_siphashx24(out, text, 0, key);
    return different(out, longer_hash, 16);
  case 2:
    crypto_hash_sha256(out, (const unsigned char *)"abc", 3);
    return different(out, abc, 32);
  case 3:
    stream_ietf_ext_ref_xor_ic(out, out, 32, nonce, 1, key);
    return different(out, stream, 16);
  default:
    crypto_onetimeauth_poly1305_donna(out, (const unsigned char *)group, sizeof group - 1,
                                      one_time_key);
    return different(out, tag, 16);
  }
}

#define CASES(X)      X(siphash) X(sha256) X(chacha20) X(poly1305)
#define ZERO_CASES(X) X(known)
#define CASE_GROUPS   7
#include "cases.h"
