/* As headers of the C library have them: inline functions that call others. */
#pragma GCC system_header
long parse(const char *text, int base);
static inline int parse_decimal(const char *text) { return (int)parse(text, 10); }
static inline int parse_twice(const char *text) { return 2 * parse_decimal(text); }
