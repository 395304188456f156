#include "plain.h"
int main(void) { return answer() - 42; }
