/* Lets each call of the OpenCL driver, each allocation and each operation fail in turn in a whole
 * program (whole_program.h): nothing may crash, hang or leak, every failure leaves a text, the call
 * that failed works when it is made again, and the results are right.
 *
 * How often each entry is called is counted in runs without faults: a cold one, the first of a
 * process; one that builds its kernels again; and one whose kernels are there. A fault of a cold
 * run has a process of its own, the others share one for each entry. Where an entry is called
 * often, a sample of its calls fails, the first and the last among them; with KA_TEST_ALL_FAULTS=1
 * all do. */
#ifndef KA_TEST_RUNTIME_SUPPORT_FAULT_RUNS_H
#define KA_TEST_RUNTIME_SUPPORT_FAULT_RUNS_H

#include <stdbool.h>

/* Two devices of the driver as they are; two that share no more than buffers with the host; and two
 * that share nothing the host may touch meanwhile. */
enum fault_machine { FAULT_CPU, FAULT_BUFFERS, FAULT_COARSE };

/* About how many faults are made in each kind of run; fewer under sanitizers. */
struct fault_sample {
  int cold, build, warm;
  bool all_calls; /* also lets every call of an entry fail for a while */
};

/* The entries whose number is `part` modulo `parts`, so that no test takes long. */
void fault_entries(enum fault_machine machine, int part, int parts,
                   const struct fault_sample *sample);
/* Allocations, and what else can lack resources. */
void fault_allocations(enum fault_machine machine, const struct fault_sample *sample);
/* Operations, after the driver has accepted them. */
void fault_operations(enum fault_machine machine, int most);

/* Whether the driver's entry of that name can be made to fail. */
bool fault_known_entry(const char *name);

#endif
