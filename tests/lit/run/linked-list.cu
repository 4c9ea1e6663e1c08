// Threads build a list by exchanging its head, and one thread walks it.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Node {
  int value;
  Node *next;
};
__global__ void push(Node *nodes, Node **head) {
  Node *own = &nodes[threadIdx.x];
  own->value = threadIdx.x;
  own->next = (Node *)atomicExch((unsigned long long *)head, (unsigned long long)own);
}
__global__ void walk(Node **head, int *out) {
  for (Node *n = *head; n; n = n->next)
    out[0]++, out[1] += n->value;
}

int main() {
  Values<Node, 100> nodes;
  Values<Node *, 1> head;
  Values<int, 2> out;
  push<<<1, 100>>>(nodes.device, head.device);
  walk<<<1, 1>>>(head.device, out.device);
  out.read();
  EXPECT(out.host[0] == 100 && out.host[1] == 4950);
  return finish();
}
