/* An image of a module for a driver: a kernel multiplying by a number, and a
 * variable. Programs compiled for the CPU device have both by the same names. */
#ifndef IMAGE_H
#define IMAGE_H

static const char image[] = ".version 7.8\n.target sm_75\n.address_size 64\n"
                            ".visible .global .align 4 .u32 answer = 42;\n"
                            ".visible .entry scale(.param .u64 p, .param .f32 a) {\n"
                            ".reg .b32 %r<5>; .reg .b64 %d<4>; .reg .f32 %f<4>;\n"
                            "ld.param.u64 %d1, [p]; ld.param.f32 %f1, [a]; cvta.to.global.u64 %d1, %d1;\n"
                            "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                            "mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.s32 %d2, %r4, 4; add.s64 %d3, %d1, %d2;\n"
                            "ld.global.f32 %f2, [%d3]; mul.f32 %f3, %f2, %f1; st.global.f32 [%d3], %f3; ret; }\n";

#endif
