/* The version of ka, written here and nowhere else: the build reads it from this file. */
#ifndef KA_VERSION_H
#define KA_VERSION_H

#define KA_VERSION_MAJOR 0
#define KA_VERSION_MINOR 1
#define KA_VERSION_PATCH 0

#define KA__VERSION_TEXT_1(x) #x
#define KA__VERSION_TEXT(x)   KA__VERSION_TEXT_1(x)

/* The version as text, "0.1.0". */
#define KA_VERSION_STRING                                                                          \
  KA__VERSION_TEXT(KA_VERSION_MAJOR)                                                               \
  "." KA__VERSION_TEXT(KA_VERSION_MINOR) "." KA__VERSION_TEXT(KA_VERSION_PATCH)

/* The version as a number that grows: 0.1.0 is 100. */
#define KA_VERSION (KA_VERSION_MAJOR * 10000 + KA_VERSION_MINOR * 100 + KA_VERSION_PATCH)

#endif
