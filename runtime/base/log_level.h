/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Levels of messages: of each message (log.h), and the highest one printed by GPUPROF_LOG (settings.h). */
#ifndef GP_LOG_LEVEL_H
#define GP_LOG_LEVEL_H

enum gp_level { GP_ERROR, GP_WARN, GP_NOTE, GP_DEBUG };

#endif
