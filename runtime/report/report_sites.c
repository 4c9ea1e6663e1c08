// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_sites.h"

#include <stdlib.h>
#include <string.h>

struct gp_row_site {
  struct gp_link link;
  struct gp_row_site *next;
  const struct gp_row *row; /* one of the rows with it */
  size_t rows;
  struct gp_json_defaults *defaults; /* of its rows; null: those of all rows */
  unsigned number;
};

/* From so many rows on, a site's common members save bytes. */
#define LEAST_ROWS 4
/* Maximum number of sites with defaults of their own: 10 KB each, while a report is written. */
#define MOST_WITH_DEFAULTS 256

/* Null: equal to the enclosing row's. */
static const char *own(const char *text, const char *around) { return gp_same_text(text, around) ? NULL : text; }
static const char *own_phase(const struct gp_row *row) { return own(row->phase, row->parent ? row->parent->phase : NULL); }
static const char *own_category(const struct gp_row *row) {
  return own(row->category, row->parent ? row->parent->category : NULL);
}

static uint64_t hash_of(const struct gp_row *row) {
  uint64_t hash = gp_hash_mix(gp_hash_text(row->kind), row->line);
  hash = gp_hash_mix(hash, gp_hash_text(row->file));
  hash = gp_hash_mix(hash, gp_hash_text(own_phase(row)));
  return gp_hash_mix(hash, gp_hash_text(own_category(row)));
}

static int same_site(const struct gp_row *a, const struct gp_row *b) {
  return a->line == b->line && gp_same_text(a->kind, b->kind) && gp_same_text(a->file, b->file) &&
         gp_same_text(own_phase(a), own_phase(b)) && gp_same_text(own_category(a), own_category(b));
}

static struct gp_row_site *find(struct gp_sites *sites, const struct gp_row *row, uint64_t hash) {
  for (struct gp_link *link = gp_table_first(&sites->table, hash); link; link = gp_table_next(link))
    if (same_site(GP_HOLDER(link, struct gp_row_site, link)->row, row))
      return GP_HOLDER(link, struct gp_row_site, link);
  return NULL;
}

static struct gp_row_site *add(struct gp_sites *sites, const struct gp_row *row, uint64_t hash) {
  struct gp_row_site *site = calloc(1, sizeof *site);
  if (!site)
    return NULL;
  site->row = row;
  site->number = sites->count++;
  *(sites->last ? &sites->last->next : &sites->first) = site;
  sites->last = site;
  gp_table_add(&sites->table, &site->link, hash);
  return site;
}

static void write_place(struct gp_json *json, const struct gp_row *row) {
  gp_json_text(json, "kind", row->kind);
  gp_json_text(json, "file", row->file);
  if (row->line)
    gp_json_unsigned(json, "line", row->line);
  else
    gp_json_null(json, "line");
  if (own_phase(row))
    gp_json_text(json, "phase", row->phase);
  if (own_category(row))
    gp_json_text(json, "category", row->category);
}

/* The row representing a site. The first rows of a run often differ from the others: later ones replace
 * them. */
static void count_row(struct gp_row_site *site, const struct gp_row *row) {
  site->rows++;
  if (!(site->rows & (site->rows - 1)))
    site->row = row;
}

static void add_rows(struct gp_sites *sites, const struct gp_row *parent) {
  for (const struct gp_row *row = parent->children; row; row = row->next) {
    const uint64_t hash = hash_of(row);
    if (!row->shown)
      continue;
    struct gp_row_site *site = find(sites, row, hash);
    if (site || (site = add(sites, row, hash)))
      count_row(site, row);
    add_rows(sites, row);
  }
}

static struct gp_json_defaults *make_defaults(struct gp_sites *sites, const struct gp_row_site *site) {
  if (site->rows < LEAST_ROWS || sites->with_defaults == MOST_WITH_DEFAULTS)
    return NULL;
  struct gp_json_defaults *defaults = malloc(sizeof *defaults);
  sites->with_defaults += defaults != NULL;
  return defaults;
}

void gp_report_sites(struct gp_json *json, struct gp_sites *sites, const struct gp_aggregate *aggregate,
                     struct gp_json_defaults *defaults, gp_site_members members, void *closure) {
  add_rows(sites, &aggregate->regions);
  add_rows(sites, &aggregate->kernels);
  gp_json_array(json, "sites");
  for (struct gp_row_site *site = sites->first; site; site = site->next) {
    gp_json_compact(json, 0); /* a line a site */
    gp_json_object(json, NULL);
    gp_json_compact(json, 1);
    write_place(json, site->row);
    if (defaults && (site->defaults = make_defaults(sites, site))) {
      gp_json_change_defaults(json, defaults, site->defaults);
      members(json, closure, site->row);
    }
    gp_json_close_object(json);
  }
  gp_json_compact(json, 0);
  gp_json_close_array(json);
}

const struct gp_row_site *gp_report_find_site(struct gp_sites *sites, const struct gp_row *row) {
  return find(sites, row, hash_of(row));
}

struct gp_json_defaults *gp_site_defaults(const struct gp_row_site *site, struct gp_json_defaults *defaults) {
  return site && site->defaults ? site->defaults : defaults;
}

void gp_report_site(struct gp_json *json, const struct gp_row_site *site, const struct gp_row *row) {
  if (site) {
    gp_json_unsigned(json, "site", site->number);
    return;
  }
  gp_json_keep(json, 1);
  write_place(json, row);
  gp_json_keep(json, 0);
}

void gp_sites_free(struct gp_sites *sites) {
  for (struct gp_row_site *site = sites->first, *next; site; site = next) {
    next = site->next;
    free(site->defaults);
    free(site);
  }
  gp_table_free(&sites->table);
}

/* ---- Files of lines ---- */

struct gp_line_file {
  struct gp_link link;
  struct gp_line_file *next;
  const char *name;
  size_t lines;
  unsigned number; /* once all are known */
};

static struct gp_line_file *find_file(struct gp_line_files *files, const char *name) {
  if (files->latest && files->latest->name == name)
    return files->latest;
  for (struct gp_link *link = gp_table_first(&files->table, gp_hash_text(name)); link; link = gp_table_next(link))
    if (!strcmp(GP_HOLDER(link, struct gp_line_file, link)->name, name))
      return files->latest = GP_HOLDER(link, struct gp_line_file, link);
  return NULL;
}

static struct gp_line_file *add_file(struct gp_line_files *files, const char *name) {
  struct gp_line_file *file = calloc(1, sizeof *file);
  if (!file)
    return NULL;
  file->name = name;
  *(files->last ? &files->last->next : &files->first) = file;
  files->last = file;
  gp_table_add(&files->table, &file->link, gp_hash_text(name));
  return file;
}

static void add_files(struct gp_line_files *files, const struct gp_row *parent) {
  for (const struct gp_row *row = parent->children; row; row = row->next) {
    for (size_t i = 0; row->shown && i < row->line_count; i++) {
      struct gp_line_file *file = find_file(files, row->lines[i].file);
      if (file || (file = add_file(files, row->lines[i].file)))
        file->lines++;
    }
    add_files(files, row);
  }
}

/* A line leaves out the number 0 of the file with most lines; the others follow in their order. */
static void number_files(struct gp_line_files *files) {
  unsigned number = 1;
  struct gp_line_file *largest = files->first;
  for (struct gp_line_file *file = files->first; file; file = file->next)
    largest = file->lines > largest->lines ? file : largest;
  for (struct gp_line_file *file = files->first; file; file = file->next)
    file->number = file == largest ? 0 : number++;
}

static void write_files(struct gp_json *json, const struct gp_line_files *files, int first) {
  for (const struct gp_line_file *file = files->first; file; file = file->next)
    if ((file->number == 0) == first)
      gp_json_text(json, NULL, file->name);
}

void gp_report_files(struct gp_json *json, struct gp_line_files *files, const struct gp_aggregate *aggregate) {
  add_files(files, &aggregate->regions);
  add_files(files, &aggregate->kernels);
  number_files(files);
  gp_json_array(json, "files");
  write_files(json, files, 1);
  write_files(json, files, 0);
  gp_json_close_array(json);
}

long gp_line_file_number(struct gp_line_files *files, const char *name) {
  const struct gp_line_file *file = find_file(files, name);
  return file ? (long)file->number : -1;
}

void gp_line_files_free(struct gp_line_files *files) {
  for (struct gp_line_file *file = files->first, *next; file; file = next) {
    next = file->next;
    free(file);
  }
  gp_table_free(&files->table);
}
