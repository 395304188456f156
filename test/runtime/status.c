/* Status names and error messages. */
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

TEST(names_every_status){
#define NAMED(name, text) CHECK_STRING(ka_status_name(KA_##name), "KA_" #name);
    KA_STATUS_LIST(NAMED)
#undef NAMED
}

TEST(names_success_zero) {
  CHECK_INT(KA_OK, 0);
  CHECK_STRING(ka_status_name(0), "KA_OK");
}

TEST(gives_a_name_to_an_unknown_status) {
  CHECK_STRING(ka_status_name((ka_status)9999), "an unknown ka_status");
  CHECK_STRING(ka_status_name((ka_status)-1), "an unknown ka_status");
}

TEST(has_no_message_before_a_failure) {
  CHECK_STRING(ka_error_message(), "");
  CHECK_INT(ka_error_status(), KA_OK);
}

TEST(keeps_the_message_until_the_next_failure) {
  int local;
  CHECK_STATUS(ka_free(&local), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_free", "not a live allocation");
  CHECK_OK(ka_free(NULL));
  CHECK_MESSAGE("ka_free");
  CHECK_INT(ka_error_status(), KA_ERROR_INVALID_POINTER);
  CHECK_STATUS(ka_synchronize(NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_synchronize", "NULL");
}

static void *fail_elsewhere(void *unused) {
  (void)unused;
  CHECK_STRING(ka_error_message(), "");
  CHECK_INT(ka_error_status(), KA_OK);
  CHECK_STATUS(ka_copy(NULL, NULL, NULL, 1), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_copy");
  return NULL;
}

TEST(keeps_a_message_for_each_thread) {
  CHECK_STATUS(ka_synchronize(NULL), KA_ERROR_INVALID_ARGUMENT);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  CHECK_MESSAGE("ka_synchronize");
}

TEST(keeps_a_long_message_whole) {
  static char name[6000];
  memset(name, 'n', sizeof name - 1);
  CHECK(!ka_backend_open(name));
  CHECK_MESSAGE(name, "no backend of this name");
  CHECK(!ka_backend_open("short"));
  CHECK(strlen(ka_error_message()) < 200);
}

static void fail_check(void) { KA_CHECK(ka_synchronize(NULL)); }

TEST(check_prints_place_call_and_message_and_exits_with_1) {
  char text[1000];
  int status = test_in_child(fail_check, text, sizeof text);
  CHECK(WIFEXITED(status));
  CHECK_INT(WEXITSTATUS(status), 1);
  CHECK_CONTAINS(text, "status.c:", "ka_synchronize(NULL)", "KA_ERROR_INVALID_ARGUMENT",
                 "the backend is NULL");
}

static int calls;

static ka_status count_call(void) {
  calls++;
  return KA_OK;
}

TEST(check_evaluates_the_call_once) {
  KA_CHECK(count_call());
  CHECK_INT(calls, 1);
}
