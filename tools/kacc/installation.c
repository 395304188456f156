/* Where the parts of ka and the compiler underneath are. Everything of ka's is found from kacc's
 * own place, so that a build tree and an installation that was moved both work. */
#include "installation.h"
#include "arguments.h"
#include "report.h"
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* As the shell would find it; NULL if nowhere. */
static const char *find_program(const char *name) {
  if (strchr(name, '/'))
    return is_program(name) ? name : NULL;
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t length = strcspn(path, ":");
    const char *candidate =
        length ? text_format("%.*s/%s", (int)length, path, name) : text_format("./%s", name);
    if (is_program(candidate))
      return candidate;
    path += length + (path[length] == ':');
  }
  return NULL;
}

/* What to do without a clang. */
#ifdef KACC_BUILT_IN_ROOT
static const char where_clang_is[] = "this kacc was built in the Debian root of tools/dev/enter "
                                     "and runs there: call tools/dev/enter "
                                     "in ka's source tree, and kacc inside";
#else
static const char where_clang_is[] =
    "install it (Debian: clang-" KACC_CLANG_VERSION ") or let the environment variable KA_CLANG "
    "name it; a ka that was built by tools/dev/enter runs inside it";
#endif

static bool is_self(const char *path) {
  char self[PATH_MAX], other[PATH_MAX];
  return realpath("/proc/self/exe", self) && realpath(path, other) && strcmp(self, other) == 0;
}

/* The plugin is good for one version of clang, and in any other crashes at best. */
static bool is_right_clang(const char *program) {
  const char *wanted = "clang version " KACC_CLANG_VERSION ".";
  if (is_self(program)) {
    report_error(
        "the environment variable KA_CLANG names kacc itself, '%s'; unset it or let it name "
        "clang %s",
        program, KACC_CLANG_VERSION);
    return false;
  }
  struct arguments command = {0};
  arguments_add(&command, program);
  arguments_add(&command, "--version");
  char answer[256];
  run_and_read(&command, answer, sizeof answer);
  if (strstr(answer, wanted))
    return true;
  answer[strcspn(answer, "\n")] = '\0';
  report_error(
      "'%s', which the environment variable KA_CLANG names, is not clang %s, which this kacc "
      "needs: to --version it answers %s%s%s; unset KA_CLANG or let it name clang %s",
      program, KACC_CLANG_VERSION, *answer ? "'" : "", *answer ? answer : "nothing",
      *answer ? "'" : "", KACC_CLANG_VERSION);
  return false;
}

static bool find_clang(struct installation *installation) {
  const char *wanted = getenv("KA_CLANG");
  if (wanted && *wanted) {
    installation->clang = find_program(wanted);
    installation->clang_from = "KA_CLANG";
    if (!installation->clang)
      report_error("there is no program '%s', which the environment variable KA_CLANG names; "
                   "unset it or let it name clang %s",
                   wanted, KACC_CLANG_VERSION);
    return installation->clang && is_right_clang(installation->clang);
  }
  if (is_program(KACC_CLANG)) {
    installation->clang = KACC_CLANG;
    installation->clang_from = "built in";
    return true;
  }
  installation->clang = find_program("clang-" KACC_CLANG_VERSION);
  installation->clang_from = "PATH";
  if (!installation->clang)
    report_error("there is no clang %s at %s and no clang-%s on PATH; %s", KACC_CLANG_VERSION,
                 KACC_CLANG, KACC_CLANG_VERSION, where_clang_is);
  return installation->clang != NULL;
}

bool installation_find(struct installation *installation) {
  static char self[PATH_MAX];
  static char prefix[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  char *slash = length > 0 ? strrchr(self, '/') : NULL;
  if (!slash) {
    report_error("cannot read /proc/self/exe, from which kacc finds its parts: %s",
                 strerror(errno));
    return false;
  }
  *slash = '\0';
  if (!realpath(text_format("%s/%s", self, KACC_BIN_TO_PREFIX), prefix)) {
    report_error("cannot find the directory %s/%s: %s", self, KACC_BIN_TO_PREFIX, strerror(errno));
    return false;
  }
  installation->plugin = text_format("%s/%s", prefix, KACC_PLUGIN);
  installation->library_dir = text_format("%s/%s", prefix, KACC_LIBRARY_DIR);
  installation->include_dir = text_format("%s/%s", prefix, KACC_INCLUDE_DIR);
  if (access(installation->plugin, R_OK) != 0) {
    report_error("cannot read the compiler plugin %s: %s; it belongs to kacc's installation, "
                 "install ka again",
                 installation->plugin, strerror(errno));
    return false;
  }
  return find_clang(installation);
}
