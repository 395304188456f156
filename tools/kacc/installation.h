/* Where the parts of ka and the compiler underneath are. */
#ifndef KACC_INSTALLATION_H
#define KACC_INSTALLATION_H

#include <stdbool.h>

struct installation {
  const char *clang;       /* the program that is run */
  const char *clang_from;  /* how it was found, for --ka-version */
  const char *plugin;      /* ka-clang.so */
  const char *library_dir; /* holds libka */
  const char *include_dir; /* holds ka/ka.h */
};

/* False after an error was reported. */
bool installation_find(struct installation *installation);

#endif
