// 20,000 regions in one function: the function's jumps are searched once, not once
// a region. The search takes half a second of processor time; the limit is 10.
// RUN: %py %S/Inputs/many_regions.py 20000 >%t.cpp
// RUN: bash -c "ulimit -t 10; exec %clangxx -fplugin=%plugin -fsyntax-only %t.cpp"
