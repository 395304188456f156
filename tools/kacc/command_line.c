/* A kacc command line, taken apart as far as kacc has to understand it: its own options, which
 * words are inputs, and whether the end is a link. Everything else is clang's and kept in order. */
#include "command_line.h"
#include "clang_options.h"
#include "report.h"
#include "response_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const struct emit_kind emit_kinds[] = {
    {"spirv", "spv"},     {"spirv-text", "spvasm"}, {"llvm", "ll"},
    {"metadata", "json"}, {"bundle", "ka"},
};

static const char *const own_options[] = {
    "--ka-targets=",
    "--ka-emit=",
    "--ka-help",
    "--ka-version",
};

/* Options after which clang does not link. */
static const char *const phase_options[] = {
    "-c",
    "--compile",
    "-S",
    "--assemble",
    "-E",
    "--preprocess",
    "-M",
    "--dependencies",
    "-MM",
    "--user-dependencies",
    "-fsyntax-only",
    "--analyze",
    "-emit-ast",
    "--precompile",
    "-rewrite-objc",
    "-rewrite-legacy-objc",
    "-verify-pch",
    "-module-file-info",
    "-emit-interface-stubs",
    "-extract-api",
    "--print-supported-cpus",
};

/* Edit distance (Levenshtein) between two short words. */
static size_t distance(const char *a, const char *b) {
  enum { LONGEST = 32 };
  size_t row[LONGEST + 1];
  size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length > LONGEST || b_length > LONGEST)
    return LONGEST;
  for (size_t j = 0; j <= b_length; ++j)
    row[j] = j;
  for (size_t i = 1; i <= a_length; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b_length; ++j) {
      size_t best = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[b_length];
}

/* The word of `names` that `wrong` most likely meant, or NULL. */
static const char *nearest(const char *wrong, const char *const *names, size_t count) {
  const char *best = NULL;
  size_t least = strlen(wrong) / 3 + 2;
  for (size_t i = 0; i < count; ++i) {
    size_t d = distance(wrong, names[i]);
    if (d < least) {
      least = d;
      best = names[i];
    }
  }
  return best;
}

static bool parse_emit(const char *value, struct command_line *line) {
  const char *names[COUNT(emit_kinds)];
  for (size_t i = 0; i < COUNT(emit_kinds); ++i) {
    names[i] = emit_kinds[i].name;
    if (text_equal(value, names[i])) {
      line->emit = &emit_kinds[i];
      return true;
    }
  }
  const char *meant = nearest(value, names, COUNT(names));
  if (meant)
    report_error("invalid value '%s' in '--ka-emit=%s'; did you mean '%s'?", value, value, meant);
  else
    report_error("invalid value '%s' in '--ka-emit=%s'; it can be spirv, spirv-text, llvm, "
                 "metadata or bundle",
                 value, value);
  return false;
}

/* An option that begins with --ka-, or with -ka-, which no option does. */
static bool parse_own_option(const char *text, struct command_line *line) {
  const char *value;
  if (text_equal(text, "--ka-help")) {
    line->help = true;
    return true;
  }
  if (text_equal(text, "--ka-version")) {
    line->version = true;
    return true;
  }
  if ((value = text_after(text, "--ka-emit=")))
    return parse_emit(value, line);
  if ((value = text_after(text, "--ka-targets="))) {
    arguments_add(&line->plugin, text_format("targets=%s", value));
    return true;
  }

  /* Not one of ours. The name up to and including '=' is what can be misspelt. */
  const char *equals = strchr(text, '=');
  size_t name_length = equals ? (size_t)(equals - text) + 1 : strlen(text);
  const char *name = text_format("%.*s", (int)name_length, text);
  const char *meant = nearest(name, own_options, COUNT(own_options));
  if (meant && meant[strlen(meant) - 1] == '=' && !equals)
    report_error("option '%s' needs a value; write '%s<value>'", text, meant);
  else if (meant)
    report_error("unknown option '%s'; did you mean '%s%s'?", text, meant,
                 equals && meant[strlen(meant) - 1] == '=' ? equals + 1 : "");
  else
    report_error("unknown option '%s'; kacc --ka-help lists the options of kacc's own", text);
  return false;
}

/* -Wka, -Wka-<group> and their kin become an argument of the plugin. */
static bool parse_warning(const char *text, struct command_line *line) {
  static const struct {
    const char *prefix, *level;
  } forms[] = {
      {"-W", "warning"},
      {"-Wno-", "ignored"},
      {"-Werror=", "error"},
      {"-Wno-error=", "no-error"},
  };
  for (size_t i = 0; i < COUNT(forms); ++i) {
    const char *name = text_after(text, forms[i].prefix);
    if (name && (text_equal(name, "ka") || text_after(name, "ka-"))) {
      arguments_add(&line->plugin, text_format("warn=%s=%s", name, forms[i].level));
      return true;
    }
  }
  /* This one is clang's as well. */
  if (text_equal(text, "-Wno-everything"))
    arguments_add(&line->plugin, "warn=everything=ignored");
  return false;
}

/* Notes what an option of clang's means for the link and for messages; returns its kind. */
static enum word_kind note_option(const char *text, struct command_line *line) {
  if (text_equal(text, "-nostdlib") || text_equal(text, "-nodefaultlibs") || text_equal(text, "-r"))
    line->no_libraries = true;
  else if (text_equal(text, "-static") || text_equal(text, "-static-pie"))
    line->is_static = true;
  else if (text_equal(text, "-l:libka.a"))
    line->has_static_libka = true;
  else if (text_equal(text, "-fcolor-diagnostics") || text_equal(text, "-fdiagnostics-color") ||
           text_equal(text, "-fdiagnostics-color=always"))
    report_set_colour(REPORT_COLOUR_ALWAYS);
  else if (text_equal(text, "-fno-color-diagnostics") ||
           text_equal(text, "-fno-diagnostics-color") ||
           text_equal(text, "-fdiagnostics-color=never"))
    report_set_colour(REPORT_COLOUR_NEVER);

  if (text_among(text, phase_options, COUNT(phase_options))) {
    line->links = false;
    return WORD_PHASE;
  }
  if (clang_option_is_linker_input(text))
    return WORD_LINKER_INPUT;
  if (text_equal(text, "-x") || text_equal(text, "--language"))
    return WORD_LANGUAGE;
  if (text_equal(text, "-o") || text_equal(text, "--output"))
    return WORD_OUTPUT;
  return WORD_OPTION;
}

static struct word *add_word(struct command_line *line, enum word_kind kind, const char *text) {
  if (line->count == line->capacity) {
    line->capacity = line->capacity ? 2 * line->capacity : 64;
    line->words = allocate_again(line->words, line->capacity * sizeof *line->words);
  }
  struct word *word = &line->words[line->count++];
  *word = (struct word){.kind = kind};
  arguments_add(&word->text, text);
  return word;
}

/* Whether clang precompiles the input: then there is nothing to link. */
static bool is_header(const char *text, const char *language) {
  static const char *const extensions[] = {".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".H"};
  const char *ending = language ? strrchr(language, '-') : strrchr(text, '.');
  if (!ending)
    return false;
  return language ? text_equal(ending, "-header")
                  : text_among(ending, extensions, COUNT(extensions));
}

static void add_input(struct command_line *line, const char *text, const char *language) {
  add_word(line, WORD_INPUT, text)->language = language;
  if (is_header(text, language))
    line->links = false;
  const char *slash = strrchr(text, '/');
  if (text_equal(slash ? slash + 1 : text, "libka.a"))
    line->has_static_libka = true;
  /* Where no file exists clang finds nothing to link and says so. */
  if (text_equal(text, "-") || access(text, F_OK) == 0)
    line->inputs = true;
}

/* Adds the option at list->items[i] with its values; returns the index of the last word taken. */
static size_t add_option(struct command_line *line, const struct arguments *list, size_t i,
                         const char **language) {
  const char *text = list->items[i];
  enum word_kind kind = note_option(text, line);
  const char *value = NULL; /* joined to -x or -o, or the next word */

  /* Forms with the value joined. */
  if (kind == WORD_OPTION) {
    if ((value = text_after(text, "-x")) || (value = text_after(text, "--language=")))
      kind = WORD_LANGUAGE;
    else if (!text_after(text, "-object") && ((value = text_after(text, "-o"))))
      kind = WORD_OUTPUT;
    else if ((value = text_after(text, "--output=")))
      kind = WORD_OUTPUT;
  }

  struct word *word = add_word(line, kind, text);
  for (int values = clang_option_values(text); values > 0 && i + 1 < list->count; --values) {
    value = list->items[++i];
    arguments_add(&word->text, value);
  }
  if (kind == WORD_LANGUAGE)
    *language = !value || text_equal(value, "none") ? NULL : value;
  else if (kind == WORD_OUTPUT)
    line->output = value;
  else if (kind == WORD_LINKER_INPUT)
    line->inputs = true;
  return i;
}

bool command_line_parse(int argc, char **argv, struct command_line *line) {
  struct arguments list = {0};
  *line = (struct command_line){.links = true};
  for (int i = 1; i < argc; ++i)
    response_file_expand(argv[i], &list);

  line->direct = list.count > 0 && text_after(list.items[0], "-cc1");
  const char *language = NULL;
  bool options_ended = false;
  for (size_t i = 0; i < list.count; ++i) {
    const char *text = list.items[i];
    if (line->direct) {
      add_word(line, WORD_OPTION, text);
    } else if (options_ended || text[0] != '-' || text_equal(text, "-")) {
      /* What comes after "--" would make inputs of the options that kacc puts at the end; written
       * like this no input looks like an option and "--" is not needed. */
      bool looks_like_option = options_ended && text[0] == '-' && text[1] != '\0';
      add_input(line, looks_like_option ? text_format("./%s", text) : text, language);
    } else if (text_equal(text, "--")) {
      options_ended = true;
    } else if (text_after(text, "--ka-") || text_after(text, "-ka-")) {
      if (!parse_own_option(text, line))
        return false;
    } else if (!parse_warning(text, line)) {
      i = add_option(line, &list, i, &language);
    }
  }
  return true;
}
