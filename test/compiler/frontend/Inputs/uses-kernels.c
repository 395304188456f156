ka_status host(ka_backend *be, float *x) { return launch_it(be, x); }
[[ka::kernel]] void from_file(float *x) { x[ka_global_id(0)] = 2; }
