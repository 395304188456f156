/* The reader of LLVM's OffloadBinary format, version 1. The layout is that of
 * llvm/Object/OffloadBinary.h: a header names an entry, the entry names a table of string pairs
 * and the image; all offsets count from the header. */
#include "runtime/core/bundle.h"

#include <string.h>

struct offload_header {
  uint8_t magic[4];
  uint32_t version;
  uint64_t size; /* of everything that belongs to this image, padding included */
  uint64_t entry_offset;
  uint64_t entry_size;
};

struct offload_entry {
  uint16_t image_kind;
  uint16_t offload_kind;
  uint32_t flags;
  uint64_t string_offset; /* of the table of string pairs */
  uint64_t string_count;
  uint64_t image_offset;
  uint64_t image_size;
};

struct offload_string {
  uint64_t key_offset;
  uint64_t value_offset;
};

static const uint8_t magic[4] = {0x10, 0xff, 0x10, 0xad};

static bool inside(uint64_t total, uint64_t offset, uint64_t bytes) {
  return offset <= total && bytes <= total - offset;
}

/* The NUL-terminated string at the offset, or NULL if it does not end inside. */
static const char *string_at(const uint8_t *start, uint64_t total, uint64_t offset) {
  if (offset >= total || !memchr(start + offset, 0, total - offset))
    return NULL;
  return (const char *)start + offset;
}

static uint64_t checksum(const uint8_t *bytes, uint64_t count) {
  uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a, 64 bits */
  for (uint64_t i = 0; i < count; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

/* `text` is the checksum as 16 lower-case hexadecimal digits. */
static bool checksum_is(uint64_t sum, const char *text) {
  for (int i = 0; i < 16; i++)
    if (text[i] != "0123456789abcdef"[(sum >> (60 - 4 * i)) & 15])
      return false;
  return text[16] == 0;
}

static const char *read_image(const uint8_t *start, uint64_t left, struct ka__image *image,
                              uint64_t *size) {
  struct offload_header header;
  if (left < sizeof header)
    return "it is cut off within a header";
  memcpy(&header, start, sizeof header);
  if (memcmp(header.magic, magic, sizeof magic) != 0)
    return "an image does not begin with its magic number";
  if (header.version != 1)
    return "an image has another version of the format";
  if (header.size < sizeof header || header.size > left)
    return "it is cut off within an image";
  struct offload_entry entry;
  if (header.entry_size < sizeof entry ||
      !inside(header.size, header.entry_offset, header.entry_size))
    return "an entry lies outside its image";
  memcpy(&entry, start + header.entry_offset, sizeof entry);
  if (!inside(header.size, entry.image_offset, entry.image_size))
    return "the content of an image lies outside it";
  if (entry.string_offset > header.size ||
      entry.string_count > (header.size - entry.string_offset) / sizeof(struct offload_string))
    return "the strings of an image lie outside it";

  image->start = start + entry.image_offset;
  image->bytes = entry.image_size;
  image->content = "";
  const char *sum = NULL;
  for (uint64_t i = 0; i < entry.string_count; i++) {
    struct offload_string pair;
    memcpy(&pair, start + entry.string_offset + i * sizeof pair, sizeof pair);
    const char *key = string_at(start, header.size, pair.key_offset);
    const char *value = string_at(start, header.size, pair.value_offset);
    if (!key || !value)
      return "a string of an image lies outside it";
    if (strcmp(key, KA__CONTENT_KEY) == 0)
      image->content = value;
    else if (strcmp(key, KA__CHECKSUM_KEY) == 0)
      sum = value;
  }
  if ((uintptr_t)image->start % 8 != 0)
    return "the content of an image is not aligned to 8 bytes";
  if (sum && !checksum_is(checksum(image->start, image->bytes), sum))
    return "the checksum of an image does not match its content";
  *size = header.size;
  return NULL;
}

enum ka__bundle_result ka__bundle_next(struct ka__bundle *bundle, struct ka__image *image,
                                       const char **why) {
  if (bundle->at >= bundle->bytes)
    return KA__BUNDLE_END;
  const uint8_t *start = bundle->start;
  uint64_t size = 0;
  *why = (uintptr_t)start % 8 != 0
             ? "it is not aligned to 8 bytes"
             : read_image(start + bundle->at, bundle->bytes - bundle->at, image, &size);
  if (*why) {
    bundle->at = bundle->bytes;
    return KA__BUNDLE_DAMAGED;
  }
  /* The next image begins at the next multiple of 8. */
  uint64_t next = bundle->at + size;
  next += (8 - next % 8) % 8;
  bundle->at = next < bundle->bytes ? next : bundle->bytes;
  return KA__BUNDLE_IMAGE;
}
