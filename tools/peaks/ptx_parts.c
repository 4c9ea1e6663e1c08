// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/ptx_parts.h"

#include <string.h>

void ptx_line(struct text *ptx, const char *line, unsigned number) {
  for (const char *at; (at = strchr(line, '@')); line = at + 1) {
    text_bytes(ptx, line, (size_t)(at - line));
    text_unsigned(ptx, number);
  }
  text_add(ptx, line);
  text_add(ptx, "\n");
}

static const char registers[] =
    ".reg .u64 %out, %in, %clocks, %size, %at, %cycles, %cycles_end, %ns, %ns_end;\n"
    ".reg .u32 %n, %thread, %lane, %all, %block, %width, %sum, %t, %u;\n"
    ".reg .pred %more, %first;\n";

static const char arguments[] = "ld.param.u64 %out, [p_out];\n"
                                "ld.param.u64 %in, [p_in];\n"
                                "ld.param.u64 %clocks, [p_clocks];\n"
                                "ld.param.u64 %size, [p_size];\n"
                                "ld.param.u32 %n, [p_n];\n"
                                "mov.u32 %thread, %tid.x;\n"
                                "mov.u32 %block, %ctaid.x;\n"
                                "mov.u32 %width, %ntid.x;\n"
                                "mad.lo.u32 %all, %block, %width, %thread;\n"
                                "and.b32 %lane, %thread, 31;\n"
                                "mov.u32 %sum, 0;\n"
                                "mov.u64 %cycles, %clock64;\n"
                                "mov.u64 %ns, %globaltimer;\n";

void ptx_begin(struct text *ptx, const struct benchmark *benchmark) {
  text_format(ptx, ".version %u.%u\n.target sm_%u%s\n.address_size 64\n", benchmark->ptx / 10,
              benchmark->ptx % 10, benchmark->target, benchmark->exact_target ? "a" : "");
  text_format(
      ptx,
      ".visible .entry peak(.param .u64 p_out, .param .u64 p_in, .param .u64 p_clocks, .param .u64 p_size, "
      ".param .u32 p_n)\n.maxntid %u, 1, 1\n.minnctapersm %u\n{\n",
      benchmark->threads, benchmark->blocks_per_sm);
  text_add(ptx, registers);
  text_add(ptx, arguments);
}

void ptx_loop(struct text *ptx) { text_add(ptx, "LOOP:\n"); }

void ptx_loop_end(struct text *ptx) {
  text_add(ptx, "sub.u32 %n, %n, 1;\nsetp.ne.u32 %more, %n, 0;\n@%more bra LOOP;\n");
}

void ptx_end(struct text *ptx) {
  text_add(ptx, "mad.wide.u32 %at, %all, 4, %out;\n"
                "st.global.u32 [%at], %sum;\n"
                "mov.u64 %cycles_end, %clock64;\n"
                "mov.u64 %ns_end, %globaltimer;\n"
                "sub.u64 %cycles_end, %cycles_end, %cycles;\n"
                "sub.u64 %ns_end, %ns_end, %ns;\n"
                "setp.eq.u32 %first, %all, 0;\n"
                "@%first st.global.u64 [%clocks], %cycles_end;\n"
                "@%first st.global.u64 [%clocks+8], %ns_end;\n"
                "ret;\n}\n");
}
