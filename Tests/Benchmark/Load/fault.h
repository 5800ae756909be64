/* The only way in which a measurement fails: the program ends, and prints what is wrong. */
#ifndef FAULT_H
#define FAULT_H

/* Ends the program with 1. The figures of a faulty server would mean nothing. */
_Noreturn void fault (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

#endif
