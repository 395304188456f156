/* Records of what kernels print: whole, not there yet, and damaged in every way that one byte can.
 */
#include "runtime/core/print.h"
#include "test/runtime/support/test.h"

#include <ka/abi.h>
#include <pthread.h>
#include <stdlib.h>

struct record {
  _Alignas(8) char bytes[512];
  size_t used;
};

static void put(struct record *r, const void *from, size_t bytes) {
  memcpy(r->bytes + r->used, from, bytes);
  r->used = (r->used + bytes + 7) & ~(size_t)7;
}

static void put_slot(struct record *r, uint64_t value) { put(r, &value, sizeof value); }

static uint64_t bits(double value) {
  uint64_t result;
  memcpy(&result, &value, sizeof result);
  return result;
}

/* What printf("%*d %s %.2f %v2hd %%|%s\n", 5, -42, "some text", 0.125, {1, -2}, NULL) leaves. */
static const char expected[] = "  -42 some text 0.12 1,-2 %|(null)\n";

static struct record sample(void) {
  static const char text[] = "%*d %s %.2f %v2hd %%|%s\n\0"
                             "iisdiis";
  struct record r = {.used = 0};
  uint32_t head[2] = {0, sizeof text - 1};
  put(&r, head, sizeof head);
  put(&r, text, sizeof text - 1);
  put_slot(&r, 5);
  put_slot(&r, (uint64_t)-42);
  put_slot(&r, 9);
  put_slot(&r, bits(0.125));
  put_slot(&r, 1);
  put_slot(&r, (uint64_t)-2);
  put_slot(&r, KA__PRINT_NULL);
  put(&r, "some text", 9);
  head[0] = (uint32_t)r.used;
  memcpy(r.bytes, head, sizeof head);
  return r;
}

/* Prints from a block that ends where the records do; returns the text. */
static char *print(const char *records, size_t bytes, size_t *done, bool *damaged) {
  char *copy = malloc(bytes + 8), *text;
  size_t length;
  CHECK(copy);
  char *start = copy + 8;
  memcpy(start, records, bytes);
  FILE *file = open_memstream(&text, &length);
  CHECK(file);
  *damaged = false;
  *done = ka__print_records(file, start, bytes, damaged);
  CHECK_INT(fclose(file), 0);
  free(copy);
  return text;
}

TEST(prints_whole_records) {
  struct record r = sample();
  char two[2 * sizeof r.bytes];
  memcpy(two, r.bytes, r.used);
  memcpy(two + r.used, r.bytes, r.used);
  size_t done;
  bool damaged;
  char *text = print(two, 2 * r.used, &done, &damaged);
  CHECK(!damaged);
  CHECK_INT(done, 2 * r.used);
  CHECK_INT(strlen(text), 2 * strlen(expected));
  CHECK(strncmp(text, expected, strlen(expected)) == 0);
  CHECK_STRING(text + strlen(expected), expected);
  free(text);
}

TEST(stops_at_a_record_that_is_not_there_yet) {
  struct record r = sample();
  char two[2 * sizeof r.bytes];
  memcpy(two, r.bytes, r.used);
  memcpy(two + r.used, r.bytes, r.used);
  memset(two + r.used, 0, 4);
  size_t done;
  bool damaged;
  char *text = print(two, 2 * r.used, &done, &damaged);
  CHECK(!damaged);
  CHECK_INT(done, r.used);
  CHECK_STRING(text, expected);
  free(text);
}

TEST(notices_the_end_anywhere) {
  struct record r = sample();
  for (size_t bytes = 0; bytes < r.used; bytes++) {
    size_t done;
    bool damaged;
    free(print(r.bytes, bytes, &done, &damaged));
    CHECK_INT(done, 0);
    CHECK(damaged || bytes < 8);
  }
}

/* The slot of the width, which can become so large that to print it would take long. */
static bool is_width(size_t byte) { return byte >= 40 && byte < 48; }

TEST(survives_any_damaged_byte) {
  struct record r = sample();
  for (size_t i = 0; i < r.used; i++)
    for (unsigned value = 0; value < 256; value += is_width(i) ? 256 : 1) {
      char before = r.bytes[i];
      r.bytes[i] = (char)value;
      size_t done;
      bool damaged;
      free(print(r.bytes, r.used, &done, &damaged));
      CHECK(damaged || done == 0 || done == r.used);
      r.bytes[i] = before;
    }
}

/* Without a buffer each piece of a text is written by itself. */
static void *print_many(void *argument) {
  FILE *file = argument;
  struct record r = sample();
  bool damaged = false;
  for (int i = 0; i < 1000; i++)
    ka__print_records(file, r.bytes, r.used, &damaged);
  CHECK(!damaged);
  return NULL;
}

TEST(threads_do_not_tear_records) {
  FILE *file = tmpfile();
  CHECK(file);
  setvbuf(file, NULL, _IONBF, 0);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    CHECK_INT(pthread_create(&threads[i], NULL, print_many, file), 0);
  for (int i = 0; i < 3; i++)
    CHECK_INT(pthread_join(threads[i], NULL), 0);
  CHECK_INT(fseek(file, 0, SEEK_SET), 0);
  char line[256];
  int lines = 0;
  for (; fgets(line, sizeof line, file); lines++)
    CHECK_STRING(line, expected);
  CHECK_INT(lines, 3000);
  fclose(file);
}

/* Formats that no compiler writes. */
TEST(refuses_formats_that_could_do_harm) {
  static const char *const formats[] = {"%n",   "%hn",           "%ls",  "%Lf",   "%",    "%5",
                                        "%.",   "%v4",           "%v0d", "%v17d", "%1$d", "%y",
                                        "%d%d", "%99999999999d", "%*d",  "%s",    "%f"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    struct record r = {.used = 0};
    char text[64] = "";
    size_t length = strlen(formats[i]);
    memcpy(text, formats[i], length);
    text[length + 1] = KA__PRINT_INTEGER;
    uint32_t head[2] = {0, (uint32_t)length + 2};
    put(&r, head, sizeof head);
    put(&r, text, length + 2);
    put_slot(&r, 1);
    head[0] = (uint32_t)r.used;
    memcpy(r.bytes, head, sizeof head);
    size_t done;
    bool damaged;
    char *printed = print(r.bytes, r.used, &done, &damaged);
    if (!damaged || done)
      test_fail(__FILE__, __LINE__, "'%s' was printed as '%s'", formats[i], printed);
    free(printed);
  }
}
