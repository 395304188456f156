// fdlibm.h - newlib's own, which has no guard, once in a file.
#pragma once
#include "newlib_fdlibm.h"
