/* Does not compile in another standard than the project's. */
#include <ka/ka.h>

#if __STDC_VERSION__ != EXPECTED_STANDARD
#error "this is not the standard that the project asked for"
#endif
#if defined(EXPECTED_GNU) == defined(__STRICT_ANSI__)
#error "this is not what C_EXTENSIONS says"
#endif

__attribute__((ka_kernel)) void nothing(void) {}

int main(void) { return ka_launch(ka_default_backend(), ka_range(1), nothing()) != KA_OK; }
