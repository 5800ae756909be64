/* The one way in which a measurement fails: it ends, and says what was wrong. */
#ifndef FAULT_H
#define FAULT_H

/* Ends the program with 1. A figure of a server that answers wrongly would say nothing. */
_Noreturn void fault (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

#endif
