/* Reads bundles: OffloadBinary images one after the other, as ka/abi.h describes. */
#ifndef KA_RUNTIME_CORE_BUNDLE_H
#define KA_RUNTIME_CORE_BUNDLE_H

#include <ka/ka.h>

struct ka__bundle {
  const void *start; /* 8-byte aligned */
  uint64_t bytes;
  uint64_t at; /* of the next image */
};

struct ka__image {
  const void *start; /* 8-byte aligned */
  uint64_t bytes;
  const char *content; /* value of "ka.content"; "" if it has none */
};

enum ka__bundle_result { KA__BUNDLE_IMAGE, KA__BUNDLE_END, KA__BUNDLE_DAMAGED };

/* Gives the next image. Damaged: `*why` gets a static text, and reading ends there. Never reads
 * outside the bundle, whatever it holds. */
enum ka__bundle_result ka__bundle_next(struct ka__bundle *bundle, struct ka__image *image,
                                       const char **why);

#endif
