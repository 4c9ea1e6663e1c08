/* Names for people. */
#ifndef GP_DEMANGLE_H
#define GP_DEMANGLE_H

/* A C++ name as it is written, to be freed; null where it is none, or the program has no C++ runtime. */
char *gp_demangle(const char *mangled);

#endif
