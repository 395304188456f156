/* The clang command line that compiles and links.
 *
 * What kacc adds stands between --start-no-unused-arguments and --end-no-unused-arguments, so that
 * clang does not warn about the parts that an input has no use for: it never reaches an assembler
 * file, a link of objects or a run with -c.
 */
#include "compile.h"
#include "run.h"

#include <unistd.h>

/* Where the compiler and the linker look anyway. Named once more they would come too early: C++'s
 * headers rely on the order of the system's. */
static bool is_system_dir(const char *path) {
  static const char *const dirs[] = {
      "/usr/include",
      "/usr/local/include",
      "/usr/lib",
      "/usr/lib/x86_64-linux-gnu",
      "/usr/lib/aarch64-linux-gnu",
  };
  for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; ++i)
    if (text_equal(path, dirs[i]))
      return true;
  return false;
}

void compile_begin(struct arguments *command, const struct command_line *line,
                   const struct installation *installation, bool cxx) {
  arguments_add(command, installation->clang);
  if (line->direct)
    return;
  if (cxx)
    arguments_add(command, "--driver-mode=g++");
  arguments_add(command, "--start-no-unused-arguments");
  arguments_add(command, text_format("-fplugin=%s", installation->plugin));
  for (size_t i = 0; i < line->plugin.count; ++i)
    arguments_add(command, text_format("-fplugin-arg-ka-%s", line->plugin.items[i]));
  arguments_add(command, "-D__KA__=1");
  if (!is_system_dir(installation->include_dir)) {
    arguments_add(command, "-isystem");
    arguments_add(command, installation->include_dir);
  }
  arguments_add(command, "-fblocks");
  arguments_add(command, "--end-no-unused-arguments");
}

/* A library that is linked only if the inputs use it. */
static void add_as_needed(struct arguments *command, const char *library) {
  for (const char *const *word = (const char *const[]){"--push-state", "--as-needed", NULL}; *word;
       word++) {
    arguments_add(command, "-Xlinker");
    arguments_add(command, *word);
  }
  arguments_add(command, library);
  arguments_add(command, "-Xlinker");
  arguments_add(command, "--pop-state");
}

/* libka behind the user's inputs, so that archives and --as-needed find what they need in it. */
static void add_libka(struct arguments *command, const struct command_line *line,
                      const struct installation *installation) {
  bool is_static = line->is_static || line->has_static_libka;
  arguments_add(command, "--start-no-unused-arguments");
  if (!is_system_dir(installation->library_dir)) {
    arguments_add(command, text_format("-L%s", installation->library_dir));
    if (!is_static) {
      arguments_add(command, "-Xlinker");
      arguments_add(command, "-rpath");
      arguments_add(command, "-Xlinker");
      arguments_add(command, installation->library_dir);
    }
  }
  /* libka-task, and with it libuv, only for programs that use tasks. */
  if (!is_static)
    add_as_needed(command, "-lka-task");
  if (!line->has_static_libka)
    arguments_add(command, "-lka");
  if (is_static) {
    arguments_add(command, "-ldl");
    arguments_add(command, "-lpthread");
  }
  /* For -fblocks. Programs without blocks do not need it, so it may be missing. */
  if (access(KACC_BLOCKS_LIBRARY, R_OK) == 0)
    add_as_needed(command, "-lBlocksRuntime");
  arguments_add(command, "--end-no-unused-arguments");
}

int compile(const struct command_line *line, const struct installation *installation, bool cxx) {
  struct arguments command = {0};
  compile_begin(&command, line, installation, cxx);
  for (size_t i = 0; i < line->count; ++i)
    arguments_add_all(&command, &line->words[i].text);
  if (!line->direct && line->inputs && line->links && !line->no_libraries)
    add_libka(&command, line, installation);
  return run_instead(&command);
}
