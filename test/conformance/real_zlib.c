// zlib, as it is: checksums, and inflate of whole, damaged and cut off streams.
#include "check.h"

// Kernels have no pointers to functions, which zlib allocates with: what inflate needs is in one
// piece of memory, which `opaque` points to.
#define Z_SOLO
struct inflate_memory;
#include "zutil.c"
#undef ZALLOC
#undef ZFREE
#define ZALLOC(stream, items, size) inflate_part((stream)->opaque, items)
#define ZFREE(stream, address)      ((void)0)
static void *inflate_part(struct inflate_memory *memory, unsigned items);
#include "adler32.c"
#include "crc32.c"
#include "inffast.c"
#include "inflate.c"
#include "inftrees.c"
struct inflate_memory {
  struct inflate_state state;
  unsigned char window[1 << 9];
};
static void *inflate_part(struct inflate_memory *memory, unsigned items) {
  return items == 1                       ? (void *)&memory->state
         : items <= sizeof memory->window ? (void *)memory->window
                                          : NULL;
}

static void text_of(unsigned char *text, int n) {
  for (int i = 0; i < 300; i++)
    text[i] = (unsigned char)(i * 7 + n * 31 + (i >> 3));
}

// Of every length, from every alignment, at once and in pieces.
static unsigned long checks(int n) {
  unsigned char text[300];
  text_of(text, n);
  unsigned long r = 0, crc = crc32(0, Z_NULL, 0), adler = adler32(0, Z_NULL, 0);
  for (int length = n; length < 250; length += 50) {
    MIX(r, crc32((unsigned)n, text + n % 9, (unsigned)length));
    MIX(r, adler32((unsigned)n, text + n % 9, (unsigned)length));
  }
  for (int i = 0, length = n % 5; i + length <= 300; i += length, length = length * 2 + 1) {
    crc = crc32(crc, text + i, (unsigned)length);
    adler = adler32(adler, text + i, (unsigned)length);
  }
  return MIX(r, crc), MIX(r, adler);
}
// Zero if the checks of two parts make that of the whole.
static unsigned long combined(int n) {
  unsigned char text[300];
  text_of(text, n);
  unsigned one = (unsigned)n * 6, other = 300 - one;
  return (crc32_combine(crc32(0, text, one), crc32(0, text + one, other), other) ^
          crc32(0, text, 300)) |
         (adler32_combine(adler32(1, text, one), adler32(1, text + one, other), other) ^
          adler32(1, text, 300));
}
// What the catalogues of check sums have for this text.
static unsigned long known(int n) {
  static const unsigned char digits[] = "123456789";
  return n & 1 ? crc32(0, digits, 9) ^ 0xcbf43926 : adler32(1, digits, 9) ^ 0x091e01de;
}

// What zlib made of the first bytes of plain(): a gzip file with codes of its own, a stream with
// fixed codes, and one that is not compressed.
static unsigned char plain(int i) { return (unsigned char)('a' + (i * i >> 4) % 7 * (i % 3)); }
static const struct {
  unsigned bytes, plain_bytes;
  unsigned char data[110];
} streams[] = {
    {110, 300, {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xc5, 0x8e, 0x41, 0x0a,
                0xc0, 0x40, 0x08, 0x03, 0xdf, 0x3a, 0xba, 0x2a, 0x22, 0xfb, 0xff, 0x6b, 0x23, 0xb4,
                0x6f, 0xa8, 0x48, 0x2e, 0x71, 0x12, 0x01, 0xcc, 0x39, 0x4d, 0xc1, 0x19, 0xbc, 0xb1,
                0xc6, 0x87, 0x90, 0x51, 0x84, 0xe3, 0x17, 0xbb, 0xb8, 0xdc, 0xa0, 0x66, 0xd5, 0x78,
                0xc7, 0x82, 0x18, 0x74, 0x9a, 0x92, 0xbb, 0x9b, 0xbe, 0xd4, 0x91, 0x35, 0x54, 0xef,
                0x32, 0xcb, 0xa6, 0x32, 0xfd, 0xc3, 0x94, 0x59, 0xe4, 0x5d, 0x15, 0x5b, 0x4e, 0xc5,
                0x96, 0x8a, 0xa2, 0xc9, 0xd8, 0xd2, 0x50, 0xa6, 0x5c, 0x65, 0xd6, 0xbe, 0xf7, 0xd6,
                0xfd, 0xfc, 0xe7, 0x03, 0x6d, 0xeb, 0xb9, 0xdc, 0x2c, 0x01, 0x00, 0x00}},
    {59, 60, {0x18, 0x19, 0x4b, 0x4c, 0x4c, 0x4c, 0x4c, 0x4a, 0x4e, 0x4c, 0xc9, 0x4c,
              0x4c, 0x4f, 0x4c, 0x4c, 0xc9, 0x4e, 0x4c, 0xce, 0x4c, 0x4c, 0xca, 0x4c,
              0x4c, 0xce, 0x4e, 0x4c, 0x05, 0x4a, 0xa4, 0x27, 0xa6, 0x26, 0x27, 0x26,
              0xe7, 0x26, 0x26, 0xe5, 0x26, 0x26, 0x03, 0x65, 0x53, 0x13, 0xd3, 0xb3,
              0x41, 0x64, 0x52, 0x22, 0x04, 0x00, 0x00, 0xc7, 0x34, 0x17, 0x49}},
    {31, 20, {0x18, 0x19, 0x01, 0x14, 0x00, 0xeb, 0xff, 0x61, 0x61, 0x61, 0x61,
              0x62, 0x63, 0x61, 0x64, 0x69, 0x61, 0x67, 0x61, 0x61, 0x64, 0x6b,
              0x61, 0x63, 0x69, 0x61, 0x62, 0x51, 0x09, 0x07, 0xc1}},
};
enum { stream_count = sizeof streams / sizeof *streams };

// Gives zlib `piece` bytes at a time, or all of them at once, and mixes all that it answers.
static unsigned long inflated(const unsigned char *in, unsigned bytes, unsigned char *out,
                              unsigned room, unsigned piece) {
  struct inflate_memory memory;
  z_stream stream = {.next_out = out,
                     .avail_out = room,
                     .opaque = &memory,
                     // Never called.
                     .zalloc = (alloc_func)1,
                     .zfree = (free_func)1};
  unsigned long r = (unsigned long)inflateInit2(&stream, 32 + 9);
  stream.next_in = (unsigned char *)in;
  int status = Z_OK;
  for (unsigned given = 0; status == Z_OK && given < bytes; given += piece) {
    stream.avail_in += piece < bytes - given ? piece : bytes - given;
    status = inflate(&stream, piece < bytes ? Z_SYNC_FLUSH : Z_FINISH);
  }
  MIX(r, status), MIX(r, stream.total_out), MIX(r, stream.total_in), MIX(r, stream.adler);
  MIX(r, stream.msg ? stream.msg[0] + stream.msg[8] : 0);
  return MIX(r, inflateEnd(&stream));
}
// What is whole must give the text; with a bit changed, cut off or without room it must give what
// it gives on the host. The call is in one place because inflate() is much to compile.
static unsigned long inflates(int n) {
  int which = n % stream_count;
  unsigned bytes = streams[which].bytes;
  unsigned long r = 0;
  for (int damaged = 0; damaged < 2; damaged++) {
    unsigned char in[110], out[300] = {0};
    memcpy(in, streams[which].data, sizeof in);
    if (damaged && n % 4)
      in[n * 11 % (int)bytes] ^= (unsigned char)(1 << n % 8);
    MIX(r, inflated(in, bytes - (unsigned)(damaged && n % 8 == 4 ? n / 3 : 0), out,
                    damaged && n % 8 == 0 ? 20 : 300, n < 6 ? 200 : (unsigned)n));
    for (int i = 0; i < 300; i++) {
      MIX(r, out[i]);
      if (!damaged && out[i] != (i < (int)streams[which].plain_bytes ? plain(i) : 0))
        abort();
    }
  }
  return r;
}

#define CASES(X)      X(checks) X(inflates)
#define ZERO_CASES(X) X(combined) X(known)
#define CASE_GROUPS   7
#include "cases.h"
