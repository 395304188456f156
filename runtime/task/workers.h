/* Threads that block so that scheduler threads need not. */
#ifndef KA_RUNTIME_TASK_WORKERS_H
#define KA_RUNTIME_TASK_WORKERS_H

#include <ka/task.h>

/* Lets a worker thread call request->wait(request->object) and complete the request with what it
 * returns. With `more`, starts one more thread when all are busy: waits may depend on each other.
 * False if no thread is free or can be had; the request is then as before. */
bool ka__worker_run(ka_wait_request *request, bool more);

#endif
