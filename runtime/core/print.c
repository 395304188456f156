/* The format of a record is taken apart, and each conversion goes to the host's printf together
 * with its argument, in the type that the conversion names. Nothing that the device wrote is
 * trusted: a conversion is put together anew from parts that are known to be harmless, and every
 * length is checked against the record's. */
#include "runtime/core/print.h"

#include <ka/abi.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a record. */
struct reader {
  FILE *file;
  const char *text, *text_end; /* the format, without its terminating zero */
  const char *tag;             /* of the next slot */
  const char *tag_end, *slot;
  const char *string, *end; /* bytes of strings still to come */
};

enum length { INT, SHORT_SHORT, SHORT, HALF_LONG, LONG };

struct conversion {
  char flags[8];
  bool takes_width, has_precision, takes_precision;
  int width, precision; /* if they are not arguments, and there */
  unsigned elements;    /* of a vector; 0: a single value */
  enum length length;
  char letter;
};

/* ---- Formats ---- */

static bool take(struct reader *in, char wanted) {
  bool there = in->text < in->text_end && *in->text == wanted;
  in->text += there;
  return there;
}

static bool take_number(struct reader *in, int *number) {
  long long value = 0;
  for (; in->text < in->text_end && *in->text >= '0' && *in->text <= '9'; in->text++) {
    value = value * 10 + (*in->text - '0');
    if (value > INT_MAX)
      return false;
  }
  *number = (int)value;
  return true;
}

static enum length take_length(struct reader *in) {
  if (take(in, 'h'))
    return take(in, 'h') ? SHORT_SHORT : take(in, 'l') ? HALF_LONG : SHORT;
  if (take(in, 'l')) {
    take(in, 'l');
    return LONG;
  }
  return take(in, 'j') || take(in, 'z') || take(in, 't') ? LONG : INT;
}

/* What follows a '%' that is not one of "%%". */
static bool take_conversion(struct reader *in, struct conversion *c) {
  *c = (struct conversion){.takes_width = false};
  size_t flags = 0;
  for (; in->text < in->text_end && *in->text && strchr("-+ #0'", *in->text); in->text++)
    if (flags < sizeof c->flags - 1 && !strchr(c->flags, *in->text))
      c->flags[flags++] = *in->text;
  c->takes_width = take(in, '*');
  if (!c->takes_width && !take_number(in, &c->width))
    return false;
  c->has_precision = take(in, '.');
  if (c->has_precision) {
    c->takes_precision = take(in, '*');
    if (!c->takes_precision && !take_number(in, &c->precision))
      return false;
  }
  if (take(in, 'v')) {
    int elements;
    if (!take_number(in, &elements) || elements < 1 || elements > 16)
      return false;
    c->elements = (unsigned)elements;
  }
  c->length = take_length(in);
  if (in->text == in->text_end)
    return false;
  c->letter = *in->text++;
  const char *letters = c->length == INT ? "diouxXceEfFgGaAsp" : "diouxXeEfFgGaA";
  return c->letter && strchr(letters, c->letter);
}

/* ---- Arguments ---- */

static bool take_slot(struct reader *in, const char *tags, char *tag, uint64_t *value) {
  if (in->tag == in->tag_end || !strchr(tags, *in->tag))
    return false;
  *tag = *in->tag++;
  memcpy(value, in->slot, sizeof *value);
  in->slot += sizeof *value;
  return true;
}

static bool take_star(struct reader *in, int *number) {
  char tag;
  uint64_t value;
  if (!take_slot(in, (char[]){KA__PRINT_INTEGER, 0}, &tag, &value))
    return false;
  *number = (int)value;
  return true;
}

/* The conversion as the host's printf takes it, with width and precision as arguments; a precision
 * below 0 is as none, and so is a width of 0. */
static void spell(const struct conversion *c, const char *length, char spelled[static 24]) {
  snprintf(spelled, 24, "%%%s*.*%s%c", c->flags, length, c->letter);
}

/* Formats come from kernels, whose compiler has checked them; they were put together by spell(). */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static bool print_integer(struct reader *in, const struct conversion *c, int precision) {
  char tag, spelled[24];
  uint64_t value;
  if (!take_slot(in, (char[]){KA__PRINT_INTEGER, 0}, &tag, &value))
    return false;
  static const char *const lengths[] = {
      [INT] = "", [SHORT_SHORT] = "hh", [SHORT] = "h", [HALF_LONG] = "", [LONG] = "j"};
  spell(c, lengths[c->length], spelled);
  if (c->length == LONG)
    fprintf(in->file, spelled, c->width, precision, value);
  else
    fprintf(in->file, spelled, c->width, precision, (unsigned)value);
  return true;
}

static bool print_pointer(struct reader *in, const struct conversion *c, int precision) {
  char tag, spelled[24];
  uint64_t value;
  if (!take_slot(in, (char[]){KA__PRINT_INTEGER, 0}, &tag, &value))
    return false;
  spell(c, "", spelled);
  fprintf(in->file, spelled, c->width, precision, (void *)(uintptr_t)value);
  return true;
}

static bool print_floating(struct reader *in, const struct conversion *c, int precision) {
  char tag, spelled[24];
  uint64_t bits;
  if (!take_slot(in, (char[]){KA__PRINT_FLOAT, KA__PRINT_DOUBLE, 0}, &tag, &bits))
    return false;
  float single;
  double value;
  memcpy(&single, &bits, sizeof single);
  memcpy(&value, &bits, sizeof value);
  spell(c, "", spelled);
  fprintf(in->file, spelled, c->width, precision, tag == KA__PRINT_FLOAT ? (double)single : value);
  return true;
}

static bool print_string(struct reader *in, const struct conversion *c, int precision) {
  char tag, spelled[24];
  uint64_t bytes;
  if (!take_slot(in, (char[]){KA__PRINT_STRING, 0}, &tag, &bytes))
    return false;
  spell(c, "", spelled);
  if (bytes == KA__PRINT_NULL) {
    /* As glibc has it: the word is not cut off. */
    fprintf(in->file, spelled, c->width, -1, precision < 0 || precision >= 6 ? "(null)" : "");
    return true;
  }
  if (bytes > (uint64_t)(in->end - in->string) || bytes > INT_MAX)
    return false;
  /* No terminating zero is there; the precision has been applied to the length. */
  fprintf(in->file, spelled, c->width, (int)bytes, in->string);
  bytes = (bytes + 7) & ~(uint64_t)7;
  if (bytes > (uint64_t)(in->end - in->string))
    return false;
  in->string += bytes;
  return true;
}

#pragma GCC diagnostic pop

static bool print_one(struct reader *in, const struct conversion *c, int precision) {
  switch (c->letter) {
  case 's':
    return print_string(in, c, precision);
  case 'p':
    return print_pointer(in, c, precision);
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
  case 'c':
    return print_integer(in, c, precision);
  default:
    return print_floating(in, c, precision);
  }
}

static bool print_conversion(struct reader *in) {
  struct conversion c;
  if (!take_conversion(in, &c))
    return false;
  if (c.takes_width && !take_star(in, &c.width))
    return false;
  int precision = c.has_precision ? c.precision : -1;
  if (c.takes_precision && !take_star(in, &precision))
    return false;
  if (!print_one(in, &c, precision))
    return false;
  for (unsigned i = 1; i < c.elements; i++) {
    fputc(',', in->file);
    if (!print_one(in, &c, precision))
      return false;
  }
  return true;
}

/* ---- Records ---- */

static bool print_text(struct reader *in) {
  while (in->text < in->text_end) {
    const char *percent = memchr(in->text, '%', (size_t)(in->text_end - in->text));
    const char *stop = percent ? percent : in->text_end;
    fwrite(in->text, 1, (size_t)(stop - in->text), in->file);
    in->text = stop;
    if (!percent)
      break;
    in->text++;
    if (take(in, '%'))
      fputc('%', in->file);
    else if (!print_conversion(in))
      return false;
  }
  return true;
}

/* Finds the parts of a record of `bytes` bytes. */
static bool open_record(FILE *file, const char *record, uint32_t bytes, struct reader *in) {
  uint32_t text_bytes;
  memcpy(&text_bytes, record + 4, sizeof text_bytes);
  const char *text = record + 8;
  uint64_t room = ((uint64_t)text_bytes + 7) & ~(uint64_t)7;
  if (room > bytes - 8)
    return false;
  const char *zero = memchr(text, 0, text_bytes);
  if (!zero)
    return false;
  uint64_t slots = (uint64_t)(text + text_bytes - (zero + 1));
  if (slots > (bytes - 8 - room) / 8)
    return false;
  const char *first_slot = text + room;
  *in = (struct reader){.file = file,
                        .text = text,
                        .text_end = zero,
                        .tag = zero + 1,
                        .tag_end = text + text_bytes,
                        .slot = first_slot,
                        .string = first_slot + slots * 8,
                        .end = record + bytes};
  return true;
}

size_t ka__print_records(FILE *file, const char *records, size_t bytes, bool *damaged) {
  size_t at = 0;
  flockfile(file);
  while (bytes - at >= 8) {
    uint32_t size = atomic_load_explicit((const _Atomic uint32_t *)(const void *)(records + at),
                                         memory_order_acquire);
    if (!size)
      break;
    struct reader in;
    if (size < 8 || size % 8 || size > bytes - at || !open_record(file, records + at, size, &in) ||
        !print_text(&in)) {
      *damaged = true;
      break;
    }
    at += size;
  }
  funlockfile(file);
  return at;
}
