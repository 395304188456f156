/* The clang command lines that a kacc command line stands for. */
#ifndef KACC_COMPILE_H
#define KACC_COMPILE_H

#include "command_line.h"
#include "installation.h"

/* Runs clang as the command line says, with the plugin, the headers and libka. Returns the exit
 * status if something failed before clang took over. */
int compile(const struct command_line *line, const struct installation *installation, bool cxx);

/* Writes what --ka-emit asks for, one file for each source. Returns the exit status. */
int emit(const struct command_line *line, const struct installation *installation, bool cxx);

/* Begins a command: clang, and what kacc puts before the user's options. */
void compile_begin(struct arguments *command, const struct command_line *line,
                   const struct installation *installation, bool cxx);

#endif
