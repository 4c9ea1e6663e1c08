/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Common members of rows, written once: sites, for rows of one place in the source, and the files of
 * lines. */
#ifndef GP_REPORT_SITES_H
#define GP_REPORT_SITES_H

#include "report/aggregate.h"
#include "report/json_writer.h"

/* All zero: empty. */
struct gp_sites {
  struct gp_table table;
  struct gp_row_site *first, *last;
  unsigned count, with_defaults;
};

/* Writes the members of a row possibly common to the rows of one site. */
typedef void (*gp_site_members)(struct gp_json *json, void *closure, const struct gp_row *row);

/* All zero: empty. */
struct gp_line_files {
  struct gp_table table;
  struct gp_line_file *first, *last, *latest;
};

/* Writes the array of the sites of all shown rows: their place, and the changes of `defaults` by one of their
 * rows. */
void gp_report_sites(struct gp_json *json, struct gp_sites *sites, const struct gp_aggregate *aggregate,
                     struct gp_json_defaults *defaults, gp_site_members members, void *closure);
/* The row's site, or null without memory for it. */
const struct gp_row_site *gp_report_find_site(struct gp_sites *sites, const struct gp_row *row);
/* The members left out by rows of the site; `defaults` for rows without a site. */
struct gp_json_defaults *gp_site_defaults(const struct gp_row_site *site, struct gp_json_defaults *defaults);
/* Writes the row's site, or without one the site's members. */
void gp_report_site(struct gp_json *json, const struct gp_row_site *site, const struct gp_row *row);
void gp_sites_free(struct gp_sites *sites);

/* Writes the array of the files of all shown rows' lines; the one with most lines comes first. */
void gp_report_files(struct gp_json *json, struct gp_line_files *files, const struct gp_aggregate *aggregate);
/* The number of a file; -1 without memory for it. */
long gp_line_file_number(struct gp_line_files *files, const char *name);
void gp_line_files_free(struct gp_line_files *files);

#endif
