/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reports: one function a format, all from the same document and the same columns. */
#ifndef GP_TOOL_REPORT_H
#define GP_TOOL_REPORT_H

#include "common/options.h"
#include "common/style.h"
#include "common/text.h"
#include "common/write.h"
#include "reader/reader.h"

/* A column of the tables a person reads. `show` leaves the text empty where the value is unknown; `order`
 * gives the number a table is sorted by (NAN where unknown), null for text. */
struct column {
  const char *head, *subhead, *help;
  bool regions_only, only_if_known; /* only_if_known: left out where no entry of the document has a value */
  unsigned rank; /* 0: always shown; in a narrow terminal the column of the highest rank is left out first */
  void (*show)(struct text *text, const struct entry *entry, const struct style *style);
  double (*order)(const struct entry *entry);
};
extern const struct column report_columns[];
extern const size_t report_column_count;

#define REPORT_RANK_MOST 10

/* The columns that a table of these entries has. */
#define REPORT_COLUMNS_MOST 32
struct column_set {
  bool has[REPORT_COLUMNS_MOST];
};
/* Regions deeper than this stand as far to the right as those of this depth. */
#define REPORT_DEEPEST 12
struct column_set report_columns_of(const struct entry *entries, size_t count);

/* Rows that a table for people has at most; formats for programs have all. */
#define REPORT_ROWS_MOST 100000
static inline size_t report_shown(size_t rows) { return rows < REPORT_ROWS_MOST ? rows : REPORT_ROWS_MOST; }
/* Says how many rows a table leaves out, and where they are; nothing where it has all. */
void report_left_out(struct text *text, const struct document *document, size_t rows);

/* Shared by the formats. */
void report_device(struct text *text, const struct document *document);
void report_ceilings(struct text *text, const struct document *document, const char *separator);
void report_run(struct text *text, const struct document *document, const char *separator);
/* What a person should do about a report without a row, or null: there are rows. */
const char *report_empty(const struct document *document, const struct selection *selection);

void report_text(struct text *out, const struct document *document, const struct selection *selection,
                 const struct style *style);
void report_markdown(struct text *out, const struct document *document, const struct selection *selection,
                     const struct style *style);
void report_html(struct text *out, const struct document *document, const struct selection *selection,
                 const struct style *style);
/* The source of the kernels, with what each line did; of a document at a time. */
void report_lines(struct text *out, const struct document *document, const struct style *style);
/* What bounds the kernels of a name, else its regions: an exact name, else a regular expression. */
/* Null after a sentence where the expression is wrong. The caller frees it. */
struct why *report_why_of(const char *pattern);
void report_why_free(struct why *why);
/* Says which names there are and returns false where no row of any document has the name. */
bool report_why_matches(const struct why *why, const struct document *documents, size_t count, const struct selection *selection);
void report_why_text(struct text *out, const struct why *why, const struct document *document,
                     const struct selection *selection, const struct style *style);
void report_why_json(struct text *out, const struct why *why, const struct document *documents, size_t count,
                     const struct selection *selection);
/* Every table that --energy knows, with its operations and its source. */
void report_energy_tables(struct text *out, const struct style *style);
void report_csv(struct text *out, const struct document *documents, size_t count,
                const struct selection *selection);
void report_json(struct text *out, const struct document *documents, size_t count,
                 const struct selection *selection);

#endif
