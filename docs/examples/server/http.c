/* The head of an HTTP/1.1 request. What is not understood is refused: a request that two readers
 * take for different ones is how requests are smuggled past a proxy. */
#include "http.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

size_t http_head_length(const char *text, size_t bytes) {
  for (size_t i = 3; i < bytes; ++i)
    if (text[i] == '\n' && memcmp(text + i - 3, "\r\n\r", 3) == 0)
      return i + 1;
  return 0;
}

const char *http_reason(int status) {
  static const struct {
    int status;
    const char *reason;
  } reasons[] = {
      {200, "OK"},
      {400, "Bad Request"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {408, "Request Timeout"},
      {411, "Length Required"},
      {413, "Content Too Large"},
      {414, "URI Too Long"},
      {417, "Expectation Failed"},
      {422, "Unprocessable Content"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
      {505, "HTTP Version Not Supported"},
  };
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; ++i)
    if (reasons[i].status == status)
      return reasons[i].reason;
  return "Unknown";
}

/* ---- Characters, as RFC 9110 names them: independent of the locale ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_token(const char *text) {
  if (!*text)
    return false;
  for (; *text; ++text)
    if (!is_digit(*text) && !(*text >= 'a' && *text <= 'z') && !(*text >= 'A' && *text <= 'Z') &&
        !strchr("!#$%&'*+-.^_`|~", *text))
      return false;
  return true;
}

static bool is_visible(const char *text) {
  for (; *text; ++text)
    if (*text <= ' ' || *text > '~')
      return false;
  return true;
}

/* Any text but control characters. */
static bool is_value(const char *text) {
  for (; *text; ++text)
    if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f)
      return false;
  return true;
}

/* Whether a list of names has this one: "close" in "TE, close". */
static bool lists(const char *value, const char *name) {
  while (*value) {
    value += strspn(value, " \t,");
    size_t length = strcspn(value, " \t,");
    if (length == strlen(name) && strncasecmp(value, name, length) == 0)
      return true;
    value += length;
  }
  return false;
}

/* ---- The head ---- */

struct fields {
  int hosts, lengths;
  bool encoded;
  bool closes, stays;
};

/* A number too large for any memory counts as the largest: its body is too long either way. */
static bool parse_length(const char *value, size_t *length) {
  *length = 0;
  for (const char *c = value; *c; ++c) {
    if (!is_digit(*c))
      return false;
    size_t digit = (size_t)(*c - '0');
    *length = *length > (SIZE_MAX - digit) / 10 ? SIZE_MAX : 10 * *length + digit;
  }
  return *value != 0;
}

static int parse_field(char *line, struct http_request *request, struct fields *fields,
                       const char **why) {
  char *colon = strchr(line, ':');
  if (!colon)
    return *why = "a header field has no colon", 400;
  *colon = 0;
  /* No blank before the colon, and none at the beginning: that would continue the line before. */
  if (!is_token(line))
    return *why = "a header field's name is not valid", 400;
  char *value = colon + 1 + strspn(colon + 1, " \t");
  size_t length = strlen(value);
  while (length && strchr(" \t", value[length - 1]))
    value[--length] = 0;
  if (!is_value(value))
    return *why = "a header field's value is not valid", 400;

  if (strcasecmp(line, "Host") == 0)
    ++fields->hosts;
  else if (strcasecmp(line, "Transfer-Encoding") == 0)
    fields->encoded = true;
  else if (strcasecmp(line, "Connection") == 0) {
    fields->closes |= lists(value, "close");
    fields->stays |= lists(value, "keep-alive");
  } else if (strcasecmp(line, "Content-Length") == 0) {
    if (++fields->lengths > 1)
      return *why = "Content-Length is there twice", 400;
    if (!parse_length(value, &request->length))
      return *why = "Content-Length is no number", 400;
    request->has_length = true;
  } else if (strcasecmp(line, "Expect") == 0) {
    if (strcasecmp(value, "100-continue") != 0)
      return *why = "only 100-continue can be expected", 417;
    request->expects_continue = true;
  }
  return 0;
}

/* "POST /filter?radius=4 HTTP/1.1" */
static int parse_request_line(char *line, struct http_request *request, bool *old,
                              const char **why) {
  char *target = strchr(line, ' '), *version = target ? strchr(target + 1, ' ') : NULL;
  if (!version)
    return *why = "the request line is not METHOD /TARGET HTTP/1.1", 400;
  *target++ = 0, *version++ = 0;
  if (!is_token(line))
    return *why = "the method is not valid", 400;
  if (*target != '/' || !is_visible(target) || strchr(target, '#'))
    return *why = "the target has to begin with / and to be visible ASCII", 400;
  if (strlen(version) != 8 || memcmp(version, "HTTP/", 5) != 0 || !is_digit(version[5]) ||
      version[6] != '.' || !is_digit(version[7]))
    return *why = "the request line is not METHOD /TARGET HTTP/1.1", 400;
  if (version[5] != '1')
    return *why = "this server speaks HTTP/1.1", 505;
  *old = version[7] == '0';
  char *query = strchr(target, '?');
  if (query)
    *query++ = 0;
  *request = (struct http_request){.method = line, .path = target, .query = query ? query : ""};
  return 0;
}

int http_parse(char *head, size_t bytes, struct http_request *request, const char **why) {
  struct fields fields = {0};
  bool old = false;
  if (memchr(head, 0, bytes))
    return *why = "there is a zero byte in the head", 400;
  /* Up to the empty line; each line ends with \r\n, and neither is anywhere else. */
  for (char *line = head, *end = head + bytes - 2; line < end;) {
    char *feed = memchr(line, '\n', (size_t)(end - line));
    if (!feed || feed == line || feed[-1] != '\r' ||
        memchr(line, '\r', (size_t)(feed - 1 - line)) != NULL)
      return *why = "a line does not end with \\r\\n", 400;
    feed[-1] = 0;
    int status = line == head ? parse_request_line(line, request, &old, why)
                              : parse_field(line, request, &fields, why);
    if (status)
      return status;
    line = feed + 1;
  }
  if (fields.hosts > 1 || (fields.hosts == 0 && !old))
    return *why = "there has to be one Host", 400;
  if (fields.encoded)
    return *why = "a body needs Content-Length, and no Transfer-Encoding",
           request->has_length || old ? 400 : 411;
  request->keep_alive = !fields.closes && (!old || fields.stays);
  return 0;
}
