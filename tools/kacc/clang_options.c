/* What kacc has to know about clang's options: which words of a command line are inputs.
 *
 * The table is clang 19's; a test compares it with the one in libclang-cpp. Options that it does
 * not name have no value, or have it joined to them.
 */
#include "clang_options.h"
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
/* Options whose value is the next word (if nothing is joined to them), in the order of strcmp. */
static const char *const one_value[] = {
    "--CLASSPATH", "--analyzer-output", "--assert", "--bootclasspath", "--classpath", "--config",
    "--define-macro", "--dyld-prefix", "--encoding", "--extdirs", "--for-linker", "--force-link",
    "--include-directory", "--include-directory-after", "--include-prefix",
    "--include-with-prefix", "--include-with-prefix-after", "--include-with-prefix-before",
    "--language", "--library-directory", "--mhwdiv", "--no-system-header-prefix", "--output",
    "--output-class-directory", "--param", "--prefix", "--print-file-name", "--print-prog-name",
    "--resource", "--rtlib", "--std", "--stdlib", "--sysroot", "--system-header-prefix",
    "--undefine-macro", "-A", "-B", "-D", "-F", "-G", "-I", "-L", "-MF", "-MJ", "-MQ", "-MT",
    "-T", "-U", "-V", "-Xanalyzer", "-Xarch_device", "-Xarch_host", "-Xassembler", "-Xclang",
    "-Xcuda-fatbinary", "-Xcuda-ptxas", "-Xlinker", "-Xmicrosoft-visualc-tools-root",
    "-Xmicrosoft-visualc-tools-version", "-Xmicrosoft-windows-sdk-root",
    "-Xmicrosoft-windows-sdk-version", "-Xmicrosoft-windows-sys-root", "-Xopenmp-target",
    "-Xpreprocessor", "-Zlinker-input", "-alias_list", "-allowable_client", "-arch", "-arch_only",
    "-arcmt-migrate-report-output", "-b", "-bundle_loader", "-ccc-arcmt-migrate", "-ccc-gcc-name",
    "-ccc-install-dir", "-ccc-objcmt-migrate", "-client_name", "-compatibility_version",
    "-current_version", "-cxx-isystem", "-darwin-target-variant", "-darwin-target-variant-triple",
    "-dependency-dot", "-dependency-file", "-dsym-dir", "-dumpdir", "-dylib_file",
    "-dylinker_install_name", "-e", "-exported_symbols_list", "-fdebug-compilation-dir",
    "-fexperimental-openacc-macro-override", "-filelist", "-fmodule-implementation-of",
    "-fmodules-user-build-path", "-fnew-alignment", "-force_load", "-framework",
    "-ftrapv-handler", "-gen-cdb-fragment-path", "-hlsl-entry", "-iapinotes-modules",
    "-idirafter", "-iframework", "-iframeworkwithsysroot", "-imacros", "-image_base",
    "-imultilib", "-include", "-include-pch", "-init", "-install_name",
    "-interface-stub-version=", "-iprefix", "-iquote", "-isysroot", "-isystem", "-isystem-after",
    "-ivfsoverlay", "-iwithprefix", "-iwithprefixbefore", "-iwithsysroot", "-l",
    "-lazy_framework", "-lazy_library", "-meabi", "-mllvm", "-mmlir", "-module-dependency-dir",
    "-mthread-model", "-multiply_defined", "-multiply_defined_unused", "-o", "-object-file-name",
    "-pagezero_size", "-read_only_relocs", "-reexport_framework", "-reexport_library",
    "-resource-dir", "-rpath", "-seg1addr", "-seg_addr_table", "-seg_addr_table_filename",
    "-segs_read_only_addr", "-segs_read_write_addr", "-serialize-diagnostics", "-specs",
    "-stdlib++-isystem", "-sub_library", "-sub_umbrella", "-target", "-u", "-umbrella",
    "-undefined", "-unexported_symbols_list", "-vfsoverlay", "-weak_framework", "-weak_library",
    "-weak_reference_mismatches", "-working-directory", "-x", "-z",
};
/* clang-format on */

static const struct {
  const char *name;
  int values;
} more_values[] = {
    {"-sectalign", 3}, {"-sectcreate", 3}, {"-sectobjectsymbols", 2}, {"-sectorder", 3},
    {"-segaddr", 2},   {"-segcreate", 3},  {"-segprot", 3},
};

/* Options with both a joined value and one in the next word. */
static const char *const joined_and_value[] = {
    "-Xarch_",
    "-Xoffload-linker",
    "-Xopenmp-target=",
};

static int compare(const void *key, const void *item) {
  return strcmp(key, *(const char *const *)item);
}

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

int clang_option_values(const char *option) {
  if (bsearch(option, one_value, COUNT(one_value), sizeof one_value[0], compare))
    return 1;
  for (size_t i = 0; i < COUNT(more_values); ++i)
    if (text_equal(option, more_values[i].name))
      return more_values[i].values;
  for (size_t i = 0; i < COUNT(joined_and_value); ++i)
    if (text_after(option, joined_and_value[i]))
      return 1;
  return 0;
}

bool clang_option_is_linker_input(const char *option) {
  static const char *const joined[] = {"-l", "-Wl,"};
  static const char *const whole[] = {"-Xlinker", "--for-linker", "-z", "-e", "-rpath"};
  for (size_t i = 0; i < COUNT(joined); ++i)
    if (text_after(option, joined[i]))
      return true;
  for (size_t i = 0; i < COUNT(whole); ++i)
    if (text_equal(option, whole[i]))
      return true;
  return false;
}
