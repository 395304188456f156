// Of the stb libraries, as they are: noise, compression of textures, division, SipHash, inflate.
#include "check.h"

// stb_perlin's tables are never written, but not const; its functions may be called so.
#define STB_PERLIN_IMPLEMENTATION
#include <math.h>
#define static static const
#include <stb/stb_perlin.h>
#undef static
#define STB_DIVIDE_IMPLEMENTATION
#include <stb/stb_divide.h>
#define STB_DXT_STATIC
#define STB_DXT_IMPLEMENTATION
#include <stb/stb_dxt.h>
// The key of SipHash's published vectors.
#define STBDS_TEST_SIPHASH_2_4
#define STBDS_SIPHASH_2_4
#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>
// Without room for more, output that grows ends; and no variable takes the reason.
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_NO_FAILURE_STRINGS
#define STBI_ASSERT(x)         ((void)0)
#define STBI_MALLOC(bytes)     ((void)(bytes), NULL)
#define STBI_REALLOC(p, bytes) ((void)(p), (void)(bytes), NULL)
#define STBI_FREE(p)           ((void)(p))
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

static unsigned long bits_of(float f) {
  unsigned bits;
  memcpy(&bits, &f, sizeof f);
  return bits;
}

static unsigned long noise(int n) {
  float x = n * 0.37f - 9, y = n * 0.11f, z = 1.5f;
  unsigned long r = bits_of(stb_perlin_noise3(x, y, z, 0, 0, 0));
  MIX(r, bits_of(stb_perlin_noise3_seed(x, y, z, 8, 16, 4, n))),
      MIX(r, bits_of(stb_perlin_fbm_noise3(x, y, z, 2, 0.5f, 3)));
  MIX(r, bits_of(stb_perlin_turbulence_noise3(x, y, z, 2, 0.5f, 3)));
  MIX(r, bits_of(stb_perlin_ridge_noise3(x, y, z, 2, 0.5f, 1, 3)));
  return MIX(r, bits_of(stb_perlin_noise3_wrap_nonpow2(x, y, z, 3, 5, 7, (unsigned char)n)));
}

static unsigned long textures(int n) {
  unsigned char pixels[64], block[16];
  for (int i = 0; i < 64; i++)
    pixels[i] = (unsigned char)(n % 5 == 0 ? n : i * n * 3 + (i >> 2) * 5);
  unsigned long r = 0;
  for (int mode = 0; mode < 2; mode++) {
    stb_compress_dxt_block(block, pixels, 1, mode ? STB_DXT_HIGHQUAL : STB_DXT_NORMAL);
    for (int i = 0; i < 16; i++)
      MIX(r, block[i]);
  }
  stb_compress_bc4_block(block, pixels);
  for (int i = 0; i < 8; i++)
    MIX(r, block[i]);
  return r;
}

static unsigned long divisions(int n) {
  unsigned long r = 0;
  for (int d = -4; d <= 4; d++) {
    if (d == 0)
      continue;
    int a = n - 25;
    MIX(r, stb_div_trunc(a, d)), MIX(r, stb_mod_trunc(a, d)), MIX(r, stb_div_floor(a, d)),
        MIX(r, stb_mod_floor(a, d));
    MIX(r, stb_div_eucl(a, d)), MIX(r, stb_mod_eucl(a, d));
  }
  return MIX(r, stb_div_floor(INT_MIN + n, 3)), MIX(r, stb_mod_eucl(INT_MIN + n, -3));
}

static unsigned long hashes(int n) {
  char text[20] = "kernel";
  text[n % 7] += (char)n;
  unsigned long r = stbds_hash_string(text, (size_t)n);
  return MIX(r, stbds_hash_bytes(text, (size_t)n % 20, 0));
}
// The first results for 00, 01, 02 … in SipHash's reference implementation.
static unsigned long siphash(int n) {
  static const size_t expected[] = {0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a,
                                    0x85676696d7fb7e2d, 0xcf2794e0277187b7, 0x18765564cd99a68d,
                                    0xcbc9466e58fee3ce, 0xab0200f58b01d137, 0x93f5f5799a932462};
  unsigned char text[9];
  for (int i = 0; i < 9; i++)
    text[i] = (unsigned char)i;
  return stbds_hash_bytes(text, (size_t)n % 9, 0) ^ expected[n % 9];
}

// What zlib made of "a kernel, a kernel, a kernel in plain C": fixed codes and repetitions.
static const unsigned char compressed[] = {
    0x78, 0xda, 0x4b, 0x54, 0xc8, 0x4e, 0x2d, 0xca, 0x4b, 0xcd, 0xd1, 0x51, 0x48, 0xc4, 0x60,
    0x29, 0x64, 0xe6, 0x29, 0x14, 0xe4, 0x24, 0x02, 0x49, 0x67, 0x00, 0x08, 0x2b, 0x0d, 0x2d};
static const char plain[] = "a kernel, a kernel, a kernel in plain C";
static int inflate_part(char out[64], int room, int flip, int missing) {
  char in[sizeof compressed];
  memcpy(in, compressed, sizeof in);
  in[2 + flip % 26] ^= (char)(flip >> 5);
  memset(out, 0, 64);
  return stbi_zlib_decode_noheader_buffer(out, room, in + 2, (int)sizeof in - 2 - missing);
}
// Input that is cut off or damaged, and output without room, ends in the result that the host has;
// what is whole, in the text.
static unsigned long inflated(int n) {
  char out[64];
  unsigned long r = 0;
  for (int damage = 0; damage < 2; damage++) {
    int bytes = inflate_part(out, damage && n % 3 == 0 ? 10 : 64, damage ? n | 32 << n % 8 : 0,
                             damage ? n % 5 : 0);
    for (int i = 0; i < bytes; i++)
      MIX(r, damage ? out[i] : out[i] != plain[i]);
    MIX(r, damage ? bytes : bytes != (int)sizeof plain - 1);
    if (damage == 0 && r != 0)
      return 0;
  }
  return r + 1;
}

#define CASES(X)                                                                                   \
  X(noise)                                                                                         \
  X(textures)                                                                                      \
  X(divisions)                                                                                     \
  X(hashes)                                                                                        \
  X(inflated)
#define ZERO_CASES(X) X(siphash)
#define CASE_GROUPS   7
#include "cases.h"
