// 20,000 regions in one function: the function's jumps are looked for once, not once for each region. That takes half a second
// of processor time, and 10 are allowed.
// RUN: %py %S/Inputs/many_regions.py 20000 >%t.cpp
// RUN: bash -c "ulimit -t 10; exec %clangxx -fplugin=%plugin -fsyntax-only %t.cpp"
