/* Response files: `@file` stands for the arguments in the file. */
#ifndef KACC_RESPONSE_FILE_H
#define KACC_RESPONSE_FILE_H

#include "arguments.h"

/* Adds `text` to the list, or what it stands for if it is `@file`. Quoting is clang's: white space
 * separates, a backslash takes the next character as it is, single and double quotes group. What
 * cannot be expanded (no such file, a file that names itself) is added as it is, so that clang
 * says what it says about it. */
void response_file_expand(const char *text, struct arguments *list);

#endif
