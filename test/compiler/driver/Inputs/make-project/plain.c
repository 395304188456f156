#include "plain.h"
int answer(void) { return 42; }
