/* The kernel of this project. */
[[ka::kernel]] void square(int *x);
