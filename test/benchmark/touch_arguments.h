/* The kernels of the group "launch", which do nearly nothing with 4, 40 or 200 arguments. ka's and
 * the peer's are made of the same lists; TOUCH_GLOBAL and TOUCH_ID say what differs. */
#ifndef KA_BENCHMARK_TOUCH_ARGUMENTS_H
#define KA_BENCHMARK_TOUCH_ARGUMENTS_H

/* Four arguments make one quarter: a pointer and three numbers of different types. */
#define TOUCH_QUARTER(n) TOUCH_GLOBAL int *cells##n, int i##n, float f##n, double d##n
#define TOUCH_USE(n)     cells##n[TOUCH_ID] += i##n + (int)f##n + (int)d##n

/* Applies X to ten numbers of two digits. */
#define TOUCH_TEN(X, tens)                                                                         \
  X(tens##0), X(tens##1), X(tens##2), X(tens##3), X(tens##4), X(tens##5), X(tens##6), X(tens##7),  \
      X(tens##8), X(tens##9)
#define TOUCH_FIFTY(X)                                                                             \
  TOUCH_TEN(X, 1), TOUCH_TEN(X, 2), TOUCH_TEN(X, 3), TOUCH_TEN(X, 4), TOUCH_TEN(X, 5)

#define TOUCH_PARAMETERS_4   TOUCH_QUARTER(10)
#define TOUCH_PARAMETERS_40  TOUCH_TEN(TOUCH_QUARTER, 1)
#define TOUCH_PARAMETERS_200 TOUCH_FIFTY(TOUCH_QUARTER)

#define TOUCH_BODY_4   TOUCH_USE(10)
#define TOUCH_BODY_40  TOUCH_TEN(TOUCH_USE, 1)
#define TOUCH_BODY_200 TOUCH_FIFTY(TOUCH_USE)

#endif
