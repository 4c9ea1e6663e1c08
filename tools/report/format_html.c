// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report as one page that needs nothing else: no network, no files beside it. */
#include "chart/chart.h"
#include "reader/run_end.h"
#include "report/format_counters.h"
#include "report/format_hardware.h"
#include "report/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS 48 /* longer names would push the numbers out of the page; the whole name is the title  \
                         */

static const char page_style[] =
    ":root{color-scheme:light "
    "dark;--bg:#f4f6f8;--card:#fff;--ink:#1b2330;--muted:#5b6675;--line:#e1e5ea;--accent:#0067a5;"
    "--good:#00795a;--fair:#9a6700;--poor:#c11c2f}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0e1116;--card:#14181f;--ink:#e8ebf0;--muted:#9aa5b4;--"
    "line:#2a313b;"
    "--accent:#5cb3ea;--good:#3ecfa3;--fair:#e3b341;--poor:#ff6b78}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 "
    "system-ui,-apple-system,"
    "'Segoe UI',Roboto,Helvetica,Arial,sans-serif}\n"
    "main{max-width:1340px;margin:0 auto;padding:28px 20px 48px}h1{font-size:24px;line-height:1.25;margin:0 "
    "0 4px;"
    "overflow-wrap:anywhere}h2{font-size:16px;margin:0 0 10px}\n"
    ".brand{color:var(--accent);font-weight:600;font-size:13px;letter-spacing:.04em}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:12px 0 "
    "22px}dt{color:var(--muted)}dd{margin:0;"
    "overflow-wrap:anywhere}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px "
    "18px;margin:0 0 18px}\n"
    "section.picture{padding:6px}.scroll{overflow-x:auto}svg{display:block;width:100%;height:auto}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}\n"
    "th,td{padding:6px "
    "10px;text-align:right;white-space:nowrap}th:first-child,td:first-child,.t{text-align:left}\n"
    "th{color:var(--muted);font-weight:600;border-bottom:2px solid "
    "var(--line);cursor:pointer;user-select:none;"
    "vertical-align:bottom;line-height:1.25}\n"
    "th "
    "small{display:block;font-weight:400}th:hover,th:focus{color:var(--ink)}th[aria-sort]{color:var(--accent)"
    "}\n"
    "td{border-bottom:1px solid var(--line)}tr:last-child td{border-bottom:0}tbody "
    "tr:hover{background:var(--bg)}\n"
    ".no{color:var(--muted)}.good{color:var(--good);font-weight:600}.fair{color:var(--fair);font-weight:600}."
    "poor{"
    "color:var(--poor);font-weight:600}\n"
    "ul{margin:0;padding-left:20px}li{margin:3px "
    "0;overflow-wrap:anywhere}footer{color:var(--muted);font-size:13px}\n"
    "details{margin-top:8px}summary{color:var(--muted);cursor:pointer}\n"
    "code{font:13px ui-monospace,SFMono-Regular,Menlo,monospace}\n"
    "@media(max-width:640px){main{padding:18px 12px 32px}section{padding:12px}section.picture "
    "svg{min-width:820px}dl{"
    "grid-template-columns:1fr;gap:0}dd{margin-bottom:6px}td:first-child,th:first-child{position:sticky;left:"
    "0;"
    "background:var(--card);max-width:44vw;overflow:hidden;text-overflow:ellipsis}}\n";

/* A click sorts: numbers by data-v, the greatest first, unknown last; the third click restores the tree. */
static const char page_script[] =
    "document.querySelectorAll('table').forEach(function(t){var b=t.tBodies[0],o=[].slice.call(b.rows);"
    "t.querySelectorAll('th').forEach(function(h,i){h.tabIndex=0;function go(){var "
    "w=h.getAttribute('aria-sort'),"
    "n=w==='descending'?'ascending':w==='ascending'?'':'descending';t.querySelectorAll('th').forEach("
    "function(x){"
    "x.removeAttribute('aria-sort')});if(n)h.setAttribute('aria-sort',n);var "
    "r=o.slice();if(n)r.sort(function(a,c){"
    "var "
    "x=a.cells[i],y=c.cells[i],p=x.dataset.v,q=y.dataset.v,s=n==='ascending'?1:-1;if(h.classList.contains('t'"
    ")||i===0)"
    "return "
    "-s*x.textContent.trim().localeCompare(y.textContent.trim());if(p===undefined||q===undefined)return "
    "(p===undefined)-(q===undefined);"
    "return "
    "s*(p-q)});r.forEach(function(x){b.appendChild(x)})}h.onclick=go;h.onkeydown=function(e){if(e.key==='"
    "Enter'||"
    "e.key===' '){e.preventDefault();go()}}})});\n";

/* The picture's colours on dark ground: classes win over the attributes that an SVG viewer reads. */
static void add_dark_inks(struct text *out) {
  text_add(out, "@media(prefers-color-scheme:dark){");
  for (size_t i = 0; i < INK_COUNT; ++i)
    text_format(out, ".f-%s{fill:#%06x}.s-%s{stroke:#%06x}", inks[i].class, inks[i].dark, inks[i].class,
                inks[i].dark);
  text_format(out, "text.halo{stroke:#%06x}}\n", inks[INK_PLOT].dark);
}

static void definition(struct text *out, const char *term, struct text *value) {
  if (value->length) {
    text_format(out, "<dt>%s</dt><dd>", term);
    text_xml(out, text_get(value));
    text_add(out, "</dd>\n");
  }
  text_free(value);
}

static void add_header(struct text *out, const struct document *document) {
  struct text line = {0};
  text_add(out, "<p class=\"brand\">gpuprof report</p>\n<h1>");
  text_xml(out, document_title(document));
  text_add(out, "</h1>\n<dl>\n");
  report_device(&line, document);
  definition(out, "device", &line);
  report_ceilings(&line, document, " · ");
  if (*document_ceiling_source(document))
    text_format(&line, " (%s)", document_ceiling_source(document));
  definition(out, "ceilings", &line);
  report_run(&line, document, " · ");
  definition(out, "run", &line);
  run_end(&line, document);
  definition(out, "end", &line);
  text_add(out, "</dl>\n");
}

static const char *cell_class(const struct column *column, const struct entry *entry, bool known) {
  if (!known)
    return "no";
  if (strcmp(column->subhead, "roof"))
    return column->order ? "" : "t";
  if (!*entry->bound)
    return ""; /* at least that much */
  return !strcmp(entry->status, "above_roof") ? "poor"
         : entry->percent.value >= 60         ? "good"
         : entry->percent.value >= 25         ? "fair"
                                              : "poor";
}

static void add_cell(struct text *out, const struct column *column, const struct entry *entry,
                     const struct style *style) {
  struct text cell = {0};
  column->show(&cell, entry, style);
  double order = column->order ? column->order(entry) : NAN;
  text_format(out, "<td class=\"%s\"", cell_class(column, entry, cell.length > 0));
  if (!isnan(order))
    text_format(out, " data-v=\"%.17g\"", order);
  text_add(out, ">");
  text_xml(out, cell.length ? text_get(&cell) : report_dash(style));
  text_add(out, "</td>");
  text_free(&cell);
}

static void add_row(struct text *out, const struct column_set *columns, const struct entry *entry,
                    const struct style *style) {
  char *name = entry_title(entry);
  struct text shown = {0};
  (entry->is_kernel ? text_elide_kernel : text_elide)(&shown, name, NAME_COLUMNS, "…");
  text_add(out, "<tr><td title=\"");
  text_xml(out, entry->is_kernel ? entry->name : entry->path);
  unsigned indent = entry->depth < REPORT_DEEPEST ? entry->depth : REPORT_DEEPEST;
  text_format(out, "\" style=\"padding-left:%upx\">", 10 + 18 * indent);
  text_xml(out, text_get(&shown));
  text_free(&shown);
  text_add(out, "</td>");
  for (size_t c = 0; c < report_column_count; ++c)
    if (columns->has[c])
      add_cell(out, &report_columns[c], entry, style);
  text_add(out, "</tr>\n");
  free(name);
}

static void add_table(struct text *out, const struct document *document, const struct entry *entries,
                      size_t count, const char *title, const char *first, const struct style *style) {
  if (!count)
    return;
  const struct column_set columns = report_columns_of(entries, count);
  text_format(out, "<section><h2>%s</h2><div class=\"scroll\"><table><thead><tr><th>%s</th>", title, first);
  for (size_t c = 0; c < report_column_count; ++c) {
    if (!columns.has[c])
      continue;
    const struct column *column = &report_columns[c];
    bool is_time = !strcmp(column->head, "time");
    const char *subhead = is_time ? document_time_source(document) : column->subhead;
    text_format(out, "<th%s title=\"", column->order ? "" : " class=\"t\"");
    text_xml(out, column->help);
    text_format(out, "\">%s", column->head);
    if (*subhead) {
      text_add(out, "<small>");
      text_xml(out, subhead);
      text_add(out, "</small>");
    }
    text_add(out, "</th>");
  }
  text_add(out, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < count; ++i)
    add_row(out, &columns, &entries[i], style);
  text_add(out, "</tbody></table></div></section>\n");
}

static void add_remark(struct text *out, const struct remark *remark) {
  struct text what = {0};
  text_add(out, "<li>");
  if (*remark->about) {
    text_add(out, "<code>");
    text_xml(out, remark->about);
    text_add(out, "</code> ");
  }
  remark_what(&what, remark);
  text_xml(out, text_get(&what));
  text_free(&what);
  if (*remark->why) {
    text_add(out, ": ");
    text_xml(out, remark->why);
  }
  text_add(out, "</li>\n");
}

static size_t add_list(struct text *out, const struct remark *remarks, size_t count, bool standing) {
  size_t shown = 0;
  for (size_t i = 0; i < count; ++i)
    if (remarks[i].standing == standing) {
      text_add(out, shown++ ? "" : "<ul>\n");
      add_remark(out, &remarks[i]);
    }
  text_add(out, shown ? "</ul>\n" : "");
  return shown;
}

/* Those that hold for every run are folded. */
static void add_remarks(struct text *out, const char *title, const struct remark *remarks, size_t count) {
  if (!count)
    return;
  text_format(out, "<section><h2>%s</h2>", title);
  const size_t own = add_list(out, remarks, count, false);
  if (own < count) {
    text_add(out, "<details><summary>notes that hold for every run</summary>");
    add_list(out, remarks, count, true);
    text_add(out, "</details>");
  }
  text_add(out, "</section>\n");
}

static void add_picture(struct text *out, const struct document *document,
                        const struct selection *selection) {
  struct chart chart;
  char *why = chart_build(&chart, document, 1, selection, NULL);
  if (why) {
    free(why);
    return;
  }
  text_add(out, "<section class=\"picture\"><div class=\"scroll\">\n");
  svg_draw(out, &chart, true);
  text_add(out, "</div></section>\n");
  chart_free(&chart);
}

void report_html(struct text *out, const struct document *document, const struct selection *selection,
                 const struct style *style) {
  text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>gpuprof: ");
  text_xml(out, document_title(document));
  text_add(out, "</title>\n<style>\n");
  text_add(out, page_style);
  add_dark_inks(out);
  text_add(out, "</style></head><body><main>\n");
  add_header(out, document);
  if (report_empty(document, selection))
    text_format(out, "<section>%s</section>\n", report_empty(document, selection));
  add_picture(out, document, selection);
  if (selection->regions)
    add_table(out, document, document->regions, document->region_count, "Regions", "region", style);
  if (selection->kernels)
    add_table(out, document, document->kernels, document->kernel_count, "Kernels", "kernel", style);
  if (selection->regions)
    report_counters_html(out, document);
  if (selection->kernels)
    report_hardware_html(out, document, style);
  add_remarks(out, "Notes", document->notes, document->note_count);
  add_remarks(out, "Not counted", document->uncounted, document->uncounted_count);
  text_format(
      out,
      "<footer>FLOP: executed, an fma is 2. Bytes asked: global bytes that instructions asked for; unique: "
      "32-byte sectors touched at least once in a launch, a lower bound of DRAM traffic. %s: unknown, see "
      "the notes.%s Click a column head to "
      "sort.</footer>\n</main>\n<script>\n",
      report_dash(style), document_misses_launches(document) ? " ≥: launches are missing, see the notes." : "");
  text_add(out, page_script);
  text_add(out, "</script></body></html>\n");
}
