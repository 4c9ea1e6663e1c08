/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GP_FORMAT_ROUNDED_H
#define GP_FORMAT_ROUNDED_H

#define GP_ROUNDED_BYTES 24

/* Formats a number like printf() with "%.9g", with a decimal point in all locales. Returns 0 if the last
 * digit is uncertain, or the value is negative, very small or very large. */
int gp_format_rounded(char text[GP_ROUNDED_BYTES], double value);

#endif
