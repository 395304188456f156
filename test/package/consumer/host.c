/* Uses libka without kernels: any C compiler will do. */
#include <ka/ka.h>
#include <ka/version.h>

#include <stdio.h>
#include <string.h>

int main(void) {
  const char *name = ka_status_name(KA_OK);
  printf("ka %s: %s\n", KA_VERSION_STRING, name);
  return strcmp(name, "KA_OK") != 0;
}
