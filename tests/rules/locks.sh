#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Locks of the runtime are defined by GP_MUTEX and GP_RWLOCK (runtime/base/locks.h): a fork has to know all of them.
set -u
status=0
mapfile -t hits < <(grep -rnE 'static pthread_(mutex|rwlock)_t|= PTHREAD_(MUTEX|RWLOCK)_INITIALIZER' runtime cpu-device --include=*.c)
if [ ${#hits[@]} -gt 0 ]; then
  printf '%s\n' "locks that no fork knows; give them a place in runtime/base/locks.h:" "${hits[@]}"
  status=1
fi
mapfile -t unused < <(sed -nE 's/^ *LOCK\(([A-Z_]+), (BRIEF|LONG|WHOLE)\).*/\1/p' runtime/base/locks.h | while read -r name; do
  grep -rqE "GP_(MUTEX|RWLOCK)\([a-z_]+, GP_LOCK_$name\)" runtime cpu-device --include=*.c || echo "$name"
done)
if [ ${#unused[@]} -gt 0 ]; then
  printf '%s\n' "places in runtime/base/locks.h without a lock:" "${unused[@]}"
  status=1
fi
[ $status = 0 ] && echo "locks: all are known"
exit $status
