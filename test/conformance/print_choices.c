// printf with a format that is chosen among literals while the kernel runs: by conditions, a switch
// or a table. The text is that of the host's own functions.
#include "capture.h"
#include "check.h"

#include <stdatomic.h>

static const char *const table_of_formats[] = {"row %d\n", "line %d\n", "third %d\n"};
// What is beside a format in a table is none.
static const struct message {
  const char *name;
  int severity;
  const char *format;
} messages[] = {{"%n", 3, "message %d\n"}, {"%s%s", 4, "warning %d\n"}};

static const char *format_by_switch(int x) {
  switch (x) {
  case 0:
    return "none: %d\n";
  case 1:
    return "one: %d\n";
  case 2:
    return "two: %d\n";
  case 3:
    return "three: %d\n";
  case 4:
    return "four: %d\n";
  case 5:
    return "five: %d\n";
  default:
    return "many: %d\n";
  }
}

static const char *format_by_if(int x) {
  const char *format = "small %d\n";
  if (x % 2)
    format = "odd %d\n";
  if (x > 4)
    format = "large %d\n";
  return format;
}

#define CHOSEN(print, x)                                                                           \
  print(x % 2 ? "chosen: %d\n" : "not chosen: %x\n", x);                                           \
  print(x == 0   ? "0: %d\n"                                                                       \
        : x == 1 ? "1: %d\n"                                                                       \
        : x == 2 ? "2: %d\n"                                                                       \
        : x == 3 ? "3: %d\n"                                                                       \
        : x == 4 ? "4: %d\n"                                                                       \
                 : "5: %d\n",                                                                      \
        x);                                                                                        \
  print(format_by_switch(x), x);                                                                   \
  print(format_by_if(x), x);                                                                       \
  print(table_of_formats[x % 3], x);                                                               \
  print(messages[x % 2].format, x);                                                                \
  print(x < 3 ? table_of_formats[x] : x < 6 ? format_by_if(x) : "%d by itself\n", x)

enum { choices = 8 };

[[ka::kernel]] void all_choices(int n) {
  for (int x = 0; x < n; x++) {
    CHOSEN(printf, x);
  }
}

// The choice is made before a barrier, for each item another.
[[ka::kernel, ka::group_size(choices)]] void choices_and_barriers(int *turn) {
  int l = (int)ka_local_id(0);
  const char *format = format_by_switch(l);
  for (int i = 0; i < choices; i++) {
    ka_barrier();
    if (i == l)
      printf(format, atomic_fetch_add((_Atomic(int) *)turn, 1));
    ka_barrier();
  }
}

int main(void) {
  backend();
  static char expected[1 << 12];
  size_t n = 0;
#define TO_TEXT(...) n += (size_t)snprintf(expected + n, sizeof expected - n, __VA_ARGS__)
  for (int x = 0; x < choices; x++) {
    CHOSEN(TO_TEXT, x);
  }
  for (int x = 0; x < choices; x++)
    TO_TEXT(format_by_switch(x), x);
  int *turn = device_memory(sizeof *turn);
  *turn = 0;
  struct capture c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(1), all_choices(choices)));
  KA_CHECK(ka_launch(backend(), ka_range(choices), choices_and_barriers(turn)));
  KA_CHECK(ka_synchronize(backend()));
  check_text("chosen formats", expected, captured(&c));
  return check_result();
}
