/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A texture fetch or a surface access as described by compiled kernels to the CPU device. Plain C, read by the plugin, too. */
#ifndef GPUPROF_TEXTURE_ABI_H
#define GPUPROF_TEXTURE_ABI_H

/* X(g and the name in PTX, number, 32-bit places): a layer comes before the coordinates. */
#define GPUPROF_TEXTURE_GEOMETRIES(X)                                                                        \
  X(g1d, 0, 1)                                                                                               \
  X(g2d, 1, 2)                                                                                               \
  X(g3d, 2, 3)                                                                                               \
  X(ga1d, 3, 2)                                                                                              \
  X(ga2d, 4, 3)                                                                                              \
  X(gcube, 5, 3)                                                                                             \
  X(gacube, 6, 4)

/* The form as one number: geometry in bits 0 to 3, and flags. */
#define GPUPROF_TEXTURE_GEOMETRY_MASK 15u
#define GPUPROF_TEXTURE_INTEGER_PLACE (1u << 4) /* coordinates are numbers of texels */
#define GPUPROF_TEXTURE_LEVEL (1u << 5)         /* a level of detail follows the coordinates */
#define GPUPROF_TEXTURE_GRADIENT (1u << 6)      /* gradients follow the coordinates */
#define GPUPROF_TEXTURE_GATHER (1u << 7)        /* tld4: one channel of the four texels around */
#define GPUPROF_TEXTURE_CHANNELS(n) ((n) << 8)  /* tld4: the channel; surfaces: the number of registers */
#define GPUPROF_TEXTURE_CHANNELS_OF(form) ((form) >> 8 & 15u)
#define GPUPROF_TEXTURE_BYTES(n) ((n) << 12) /* of a register of a surface */
#define GPUPROF_TEXTURE_BYTES_OF(form) ((form) >> 12 & 15u)
#define GPUPROF_TEXTURE_BOUNDS(n) ((n) << 16) /* of surfaces: 0 trap, 1 clamp, 2 zero */
#define GPUPROF_TEXTURE_BOUNDS_OF(form) ((form) >> 16 & 3u)
#define GPUPROF_TEXTURE_PLACES 16 /* the most 32-bit words of a fetch */

#endif
