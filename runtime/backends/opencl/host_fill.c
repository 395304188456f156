/* Fills memory of the host with a value of any size, as fast as memset does. */
#include "runtime/backends/opencl/opencl.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LINE = 64 };

/* From here on stores go past the caches: nothing of what is filled would still be in them, and
 * the lines need not be fetched before they are overwritten, which takes half the time. memset's
 * own bound is three quarters of a core's share of the last cache, of the same size. */
static const size_t STREAM_BYTES = (size_t)4 << 20;

bool ka__cl_all_equal(const char *value, size_t bytes) {
  return bytes == 1 || memcmp(value, value + 1, bytes - 1) == 0;
}

/* Writes whole lines to `to`, which begins one, from a block of whole lines, again and again.
 * Returns what in the block is next. */
static const char *store_lines(char *to, const char *block, size_t block_bytes, size_t lines) {
  size_t at = 0;
  for (; lines > 0; lines--, to += LINE) {
#ifdef __SSE2__
    for (int i = 0; i < LINE; i += 16)
      _mm_stream_si128((__m128i *)(void *)(to + i),
                       _mm_load_si128((const __m128i *)(const void *)(block + at + i)));
#else
    memcpy(to, block + at, LINE);
#endif
    at = at + LINE == block_bytes ? 0 : at + LINE;
  }
#ifdef __SSE2__
  _mm_sfence();
#endif
  return block + at;
}

static void stream(char *to, const char *value, size_t value_bytes, size_t bytes) {
  /* The value as often as it takes to end where a line does, from where the first line begins. */
  _Alignas(LINE) char block[KA__CL_FILL_VALUE_MAX * LINE];
  size_t block_bytes = value_bytes * LINE;
  size_t head = (LINE - (uintptr_t)to % LINE) % LINE;
  for (size_t i = 0; i < head; i++)
    to[i] = value[i % value_bytes];
  for (size_t i = 0; i < block_bytes; i++)
    block[i] = value[(head + i) % value_bytes];
  size_t lines = (bytes - head) / LINE, tail = (bytes - head) % LINE;
  const char *next = store_lines(to + head, block, block_bytes, lines);
  memcpy(to + head + lines * LINE, next, tail);
}

/* Copies what is there already behind itself, more each time, up to what stays in the cache. */
static void double_up(char *to, const char *value, size_t value_bytes, size_t bytes) {
  size_t done = value_bytes, most = ((size_t)1 << 14) / value_bytes * value_bytes;
  memcpy(to, value, done);
  while (done < bytes) {
    size_t left = bytes - done, n = done < most ? done : most;
    n = n < left ? n : left;
    memcpy(to + done, to, n);
    done += n;
  }
}

void ka__cl_host_fill(char *to, const char *value, size_t value_bytes, size_t bytes) {
  if (ka__cl_all_equal(value, value_bytes))
    memset(to, value[0], bytes);
  else if (bytes >= STREAM_BYTES)
    stream(to, value, value_bytes, bytes);
  else
    double_up(to, value, value_bytes, bytes);
}
