# Coroutines, exceptions, collectors, other languages
/^(coro|eh|gc|objc|seh|swift|preserve|ptrauth|protected|icall|localescape|localrecover|localaddress|codeview)/d
/^experimental\.(gc|deoptimize|guard|widenable|patchpoint|stackmap)/d
# What only instrumented code has
/^(asan|hwasan|instrprof|xray|alloc\.token|type\.checked|public\.type)/d
# Vectors of unknown length, loops in hardware
/^(vscale|stepvector|loop|set\.loop|start\.loop|test\.|get\.active\.lane\.mask)/d
/^(experimental\.(stepvector|vector|cttz\.elts|get\.vector)|vector\.(de)?interleave[3-8]$|vector\.splice)/d
# Stack, registers and modes of a CPU
/^(addressofreturnaddress|adjust|callbr|call\.preallocated|clear_cache|get\.|init\.|pcmarker|read_|write_register)/d
/^(reloc|reset|set\.(fp|rounding)|sponentry|stack(address|guard|protector)|thread\.pointer)/d
# Other targets', as far as an LLVM counts them among its own
/^aarch64/d
