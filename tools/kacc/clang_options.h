/* What kacc has to know about clang's options: which words of a command line are inputs. */
#ifndef KACC_CLANG_OPTIONS_H
#define KACC_CLANG_OPTIONS_H

#include <stdbool.h>

/* How many words after this option belong to it. */
int clang_option_values(const char *option);

/* Whether the option is an input of the linker, as -lm is: alone it starts a link. */
bool clang_option_is_linker_input(const char *option);

#endif
