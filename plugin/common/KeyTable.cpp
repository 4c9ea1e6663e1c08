// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/KeyTable.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuprof {

std::string keySearchText(const KeySearch &Search) {
  return ("  %mixed = mul i64 " + Search.Hashed + R"(, -7046029254386353131
  %high = lshr i64 %mixed, 32
  %home = and i64 %high, %mask
  br label %probe
probe:
  %at = phi i64 [ %home, )" +
          Search.From + R"( ], [ %at.next, %miss ]
  %tries = phi i64 [ 0, )" +
          Search.From + R"( ], [ %tries.next, %miss ]
  %key.offset = shl i64 %at, 3
  %key.number = add i64 %keys, %key.offset
  %key.address = inttoptr i64 %key.number to ptr addrspace(1)
  %there = )" +
          Search.Load + R"( i64, ptr addrspace(1) %key.address
  %is.mine = icmp eq i64 %there, %key
  br i1 %is.mine, label %found, label %foreign
foreign:
  %is.free = icmp eq i64 %there, 0
  br i1 %is.free, label %claim, label %miss
claim:
  %pair = cmpxchg ptr addrspace(1) %key.address, i64 0, i64 %key monotonic monotonic
  %owner = extractvalue { i64, i1 } %pair, 0
  %won = icmp eq i64 %owner, 0
  br i1 %won, label %claimed, label %lost
claimed:
)" + Search.Claimed +
          R"(  br label %found
lost:
  %is.same = icmp eq i64 %owner, %key
  br i1 %is.same, label %found, label %miss
miss:
  %tries.next = add i64 %tries, 1
  %at.after = add i64 %at, 1
  %at.next = and i64 %at.after, %mask
  %is.full = icmp ugt i64 %tries.next, )" +
          Search.Misses + R"(
  br i1 %is.full, label %full, label %probe
)")
      .str();
}

} // namespace gpuprof
