/* A kacc command line, taken apart as far as kacc has to understand it. */
#ifndef KACC_COMMAND_LINE_H
#define KACC_COMMAND_LINE_H

#include "arguments.h"

#include <stdbool.h>
#include <stddef.h>

enum word_kind {
  WORD_OPTION,       /* an option of clang's with its values */
  WORD_PHASE,        /* -c, -S, -E...: no link follows */
  WORD_LANGUAGE,     /* -x */
  WORD_OUTPUT,       /* -o */
  WORD_LINKER_INPUT, /* -lm and the like */
  WORD_INPUT         /* a file, or "-" */
};

/* One input, or one option and the words that belong to it. */
struct word {
  enum word_kind kind;
  struct arguments text;
  const char *language; /* of an input: what -x said before it, or NULL */
};

/* What --ka-emit can write. */
struct emit_kind {
  const char *name;      /* as in --ka-emit= */
  const char *extension; /* of the default output file */
};

struct command_line {
  struct word *words;
  size_t count, capacity;

  bool direct;             /* -cc1 and the like: clang's inner tools, nothing to add */
  bool help, version;      /* --ka-help, --ka-version */
  bool inputs, links;      /* there is something to do; the end of it is a program or library */
  bool no_libraries;       /* -nostdlib, -nodefaultlibs, -r: the user chooses every library */
  bool is_static;          /* -static, -static-pie */
  bool has_static_libka;   /* libka.a is among the inputs */
  struct arguments plugin; /* arguments for the plugin, each "name=value" */
  const struct emit_kind *emit; /* NULL: compile and link as clang does */
  const char *output;           /* of -o; NULL if there is none */
};

/* Takes the command line apart, response files included. False after an error was reported. */
bool command_line_parse(int argc, char **argv, struct command_line *line);

#endif
