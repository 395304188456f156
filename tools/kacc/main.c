/* kacc - compiles C with kernels in it.
 *
 * A thin driver: it runs clang with ka's plugin, headers and library and leaves everything else,
 * from -c to exit codes, to clang. Options of its own begin with --ka-.
 */
#include "command_line.h"
#include "compile.h"
#include "installation.h"
#include "report.h"

#include <ka/version.h>
#include <stdio.h>
#include <string.h>

static const char help_text[] =
    "Usage: kacc FILE... [options]\n"
    "\n"
    "Compiles C files in which some functions are kernels, and links them with libka. kacc runs\n"
    "clang " KACC_CLANG_VERSION " and takes all its options: kacc --help lists them. kacc++ is the "
    "same for C++.\n"
    "\n"
    "Options of kacc's own:\n"
    "  --ka-targets=LIST    Kinds of device code to make, separated by commas. Default: spirv\n"
    "  --ka-emit=WHAT       Write, instead of an object, to -o FILE or the source's name with "
    "another\n"
    "                       extension, in the current directory:\n"
    "                         spirv       SPIR-V binary (.spv)\n"
    "                         spirv-text  SPIR-V as text (.spvasm)\n"
    "                         llvm        LLVM IR just before it becomes device code (.ll)\n"
    "                         metadata    kernels and their parameters (.json)\n"
    "                         bundle      what objects carry: metadata and images (.ka)\n"
    "  -Wka-GROUP, -Wno-ka-GROUP, -Werror=ka-GROUP, -Wno-error=ka-GROUP; -Wka for all groups\n"
    "                       A group of ka's own warnings: warn, be silent, make it an error or "
    "not\n"
    "  --ka-help            This text\n"
    "  --ka-version         Version of kacc, and which parts it uses\n"
    "\n"
    "Environment:\n"
    "  KA_CLANG             The clang to run, in place of the one that kacc was built for\n";

static int print_version(const struct installation *installation) {
  printf("kacc %s\n"
         "clang:   %s (%s)\n"
         "plugin:  %s\n"
         "library: %s\n"
         "headers: %s\n",
         KA_VERSION_STRING, installation->clang, installation->clang_from, installation->plugin,
         installation->library_dir, installation->include_dir);
  return 0;
}

/* Whether kacc was called by a name that ends in "++", as g++ and clang++ do. */
static bool called_for_cxx(const char *name) {
  size_t length = name ? strlen(name) : 0;
  return length >= 2 && text_equal(name + length - 2, "++");
}

/* Whether clang is to list its options, which are not all there are. */
static bool asks_clang_for_help(const struct command_line *line) {
  for (size_t i = 0; i < line->count; ++i)
    if (line->words[i].kind == WORD_OPTION && (text_equal(line->words[i].text.items[0], "--help") ||
                                               text_equal(line->words[i].text.items[0], "-help")))
      return true;
  return false;
}

int main(int argc, char **argv) {
  struct command_line line;
  struct installation installation;
  bool cxx = called_for_cxx(argv[0]);
  if (argc == 1) {
    report_error("no input files; 'kacc --ka-help' says what kacc does");
    return 1;
  }
  if (!command_line_parse(argc, argv, &line))
    return 1;
  if (line.help) {
    fputs(help_text, stdout);
    return 0;
  }
  if (!installation_find(&installation))
    return 1;
  if (line.version)
    return print_version(&installation);
  if (!line.emit && asks_clang_for_help(&line)) {
    puts("kacc --ka-help lists kacc's own options. What follows are clang's.\n");
    fflush(stdout); /* clang takes the place of this process */
  }
  return line.emit ? emit(&line, &installation, cxx) : compile(&line, &installation, cxx);
}
