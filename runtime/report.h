/* Writing the report of this process. */
#ifndef GP_REPORT_H
#define GP_REPORT_H

/* Gathers everything that is known now and writes GPUPROF_OUTPUT. Returns 0, or -1 after one message. */
int gp_report_write(void);

#endif
