/* The head of an HTTP/1.1 request: RFC 9112 as strictly as it reads, and no more of it than this
 * server needs. */
#ifndef KA_EXAMPLES_HTTP_H
#define KA_EXAMPLES_HTTP_H

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_MOST_HEAD = 8192 }; /* bytes of a head, with the empty line at its end */

struct http_request {
  const char *method, *path, *query; /* in the head's memory; query: "" if there is none */
  bool has_length;
  size_t length; /* of the body, in bytes */
  bool keep_alive;
  bool expects_continue; /* the client sends the body only after "100 Continue" */
};

/* The length of the head at the beginning of the text; 0 if its end is not there yet. */
size_t http_head_length(const char *text, size_t bytes);

/* Takes a whole head apart, and changes it: puts 0 behind each part. Returns 0, or the status that
 * answers a request as wrong as this one, with the reason at *why. */
int http_parse(char *head, size_t bytes, struct http_request *request, const char **why);

/* "Not Found" for 404. */
const char *http_reason(int status);

#endif
