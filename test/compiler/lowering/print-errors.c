// Formats that are no literals where the call stands: what they are is known when all is inlined, or they are refused.
// RUN: %ka-verify -std=c23 -Wno-format-security %s
#include <ka/ka.h>
#include <stdio.h>
typedef float float8 __attribute__((ext_vector_type(8)));
static const char table[] = "%d\n";
static void print_int(const char *format, int x) { printf(format, x); } // expected-error {{in the format of printf: '%f' needs a number of type float or double, and gets something else}} expected-error {{in the format of printf: '%n': it stores}} expected-error {{the format of printf asks for more arguments than there are: there is none for '%d'}} expected-error {{'%s' needs a pointer to a string, and gets something else}}
static void print_vector(const char *format, float8 x) { printf(format, x); } // expected-error {{'%v4hlf' needs a vector of that size, and gets something else}} expected-error {{'%d' needs an integer, and gets something else}}

[[ka::kernel]] void good(float8 *x) {
  printf(table, 1);
  print_int("%d\n", 2);
  print_int(table, 3);
  print_vector("%v8hlf\n", x[0]);
}
[[ka::kernel]] void bad_float() { print_int("%f", 1); } // expected-note {{'print_int' is called by kernel 'bad_float' here}}
[[ka::kernel]] void bad_n() { print_int("%n", 1); } // expected-note {{'print_int' is called by kernel 'bad_n' here}}
[[ka::kernel]] void bad_count() { print_int("%d %d", 1); } // expected-note {{'print_int' is called by kernel 'bad_count' here}}
[[ka::kernel]] void bad_string() { print_int("%s", 1); } // expected-note {{'print_int' is called by kernel 'bad_string' here}}
[[ka::kernel]] void bad_vector(float8 *x) { print_vector("%v4hlf", x[0]); } // expected-note {{'print_vector' is called by kernel 'bad_vector' here}}
[[ka::kernel]] void bad_scalar(float8 *x) { print_vector("%d", x[0]); } // expected-note {{'print_vector' is called by kernel 'bad_scalar' here}}
[[ka::kernel]] void variable(const char *format) {
  printf(format, 1); // expected-error {{the format of printf in a kernel must be a string constant, or be chosen among some, which this is not once all calls are inlined; print a variable string with '%s'}}
}
[[ka::kernel]] void perhaps_variable(const char *format, int n) {
  const char *chosen = n == 0 ? "%d\n" : n == 1 ? format : "%x\n";
  printf(chosen, n); // expected-error {{must be a string constant, or be chosen among some}}
}
// Each of them is checked.
static const char *const formats[] = {"%d\n", "%x\n", "%f\n"};
[[ka::kernel]] void bad_choice(int n) {
  printf(formats[n], n); // expected-error {{'%f' needs a number of type float or double, and gets something else}}
}
