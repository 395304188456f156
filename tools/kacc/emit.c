/* --ka-emit: writes device code or what describes it, one file for each source.
 *
 * clang only checks the syntax; the plugin writes the file while the sources are parsed.
 */
#include "compile.h"
#include "report.h"
#include "run.h"

#include <string.h>

/* The part of a path behind its last slash. */
static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Whether clang would parse the input as C or C++; everything else has no kernels in it. */
static bool is_source(const struct word *input) {
  static const char *const languages[] = {"assembler", "assembler-with-cpp", "ir"};
  static const char *const extensions[] = {"c",   "i",   "h",  "cc",  "cp",  "cxx",
                                           "cpp", "c++", "C",  "CC",  "CPP", "C++",
                                           "CXX", "ii",  "hh", "hpp", "hxx", "H"};
  if (input->language)
    return !text_among(input->language, languages, sizeof languages / sizeof languages[0]);
  const char *path = input->text.items[0];
  if (text_equal(path, "-"))
    return true; /* clang asks for -x */
  const char *dot = strrchr(file_name(path), '.');
  return dot && text_among(dot + 1, extensions, sizeof extensions / sizeof extensions[0]);
}

/* `path` with its extension, if it has one, replaced. */
static const char *with_extension(const char *path, const char *extension) {
  const char *dot = strrchr(file_name(path), '.');
  size_t length = dot ? (size_t)(dot - path) : strlen(path);
  return text_format("%.*s.%s", (int)length, path, extension);
}

/* With -MD a dependency file is written for the file that is emitted, as for an object. */
static void add_dependency_target(struct arguments *command, const struct command_line *line,
                                  const char *output) {
  bool writes = false, has_file = false, has_target = false;
  for (size_t i = 0; i < line->count; ++i) {
    const char *text = line->words[i].text.items[0];
    writes |= text_equal(text, "-MD") || text_equal(text, "-MMD");
    has_file |= text_after(text, "-MF") != NULL;
    has_target |= text_after(text, "-MT") || text_after(text, "-MQ");
  }
  if (!writes || text_equal(output, "-"))
    return;
  if (!has_file) {
    arguments_add(command, "-MF");
    arguments_add(command, with_extension(output, "d"));
  }
  if (!has_target) {
    arguments_add(command, "-MQ");
    arguments_add(command, output);
  }
}

static void make_command(struct arguments *command, const struct command_line *line,
                         const struct installation *installation, bool cxx,
                         const struct word *input) {
  const char *path = input->text.items[0];
  const char *output =
      line->output ? line->output : with_extension(file_name(path), line->emit->extension);
  compile_begin(command, line, installation, cxx);
  arguments_add(command, text_format("-fplugin-arg-ka-emit=%s", line->emit->name));
  arguments_add(command, text_format("-fplugin-arg-ka-output=%s", output));
  arguments_add(command, "-fsyntax-only");
  for (size_t i = 0; i < line->count; ++i) {
    enum word_kind kind = line->words[i].kind;
    if (kind == WORD_OPTION || kind == WORD_LINKER_INPUT)
      arguments_add_all(command, &line->words[i].text);
  }
  add_dependency_target(command, line, output);
  if (input->language) {
    arguments_add(command, "-x");
    arguments_add(command, input->language);
  }
  arguments_add(command, path);
}

/* -c and -S only say that nothing is linked; the others ask for another output. */
static bool check_phases(const struct command_line *line) {
  for (size_t i = 0; i < line->count; ++i) {
    const char *text = line->words[i].text.items[0];
    if (line->words[i].kind == WORD_PHASE && !text_equal(text, "-c") && !text_equal(text, "-S") &&
        !text_equal(text, "-fsyntax-only")) {
      report_error("'--ka-emit=%s' and '%s' ask for different outputs; leave one out",
                   line->emit->name, text);
      return false;
    }
  }
  return true;
}

int emit(const struct command_line *line, const struct installation *installation, bool cxx) {
  if (!check_phases(line))
    return 1;

  struct word *const end = line->words + line->count;
  const struct word *last = NULL;
  size_t sources = 0;
  for (const struct word *word = line->words; word != end; ++word) {
    if (word->kind != WORD_INPUT)
      continue;
    if (is_source(word)) {
      last = word;
      ++sources;
    } else {
      report_warning("%s: '--ka-emit' has no use for this input: it holds no C or C++ source",
                     word->text.items[0]);
    }
  }
  if (sources == 0) {
    report_error("no input files: '--ka-emit=%s' needs a C or C++ source", line->emit->name);
    return 1;
  }
  if (line->output && sources > 1) {
    report_error("cannot specify -o when generating multiple output files");
    return 1;
  }

  int status = 0;
  for (const struct word *word = line->words; word != end; ++word) {
    if (word->kind != WORD_INPUT || !is_source(word))
      continue;
    struct arguments command = {0};
    make_command(&command, line, installation, cxx, word);
    int result = word == last && status == 0 ? run_instead(&command) : run_and_wait(&command);
    if (result != 0)
      status = result;
  }
  return status;
}
