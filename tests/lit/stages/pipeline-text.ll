; Stages print their names for opt.
; RUN: %opt -load-pass-plugin=%optplugin -disable-output -disable-verify -print-pipeline-passes -passes='gpuprof-cpu-retarget,gpuprof-cpu-work-item-loops,print<gpuprof-cpu-thread-variation>,gpuprof-cpu-lower,gpuprof-cpu-lower<split>' %s | %FileCheck %s
; CHECK: gpuprof-cpu-retarget,gpuprof-cpu-work-item-loops,print<gpuprof-cpu-thread-variation>,gpuprof-cpu-lower,gpuprof-cpu-lower<split>
target triple = "nvptx64-nvidia-cuda"
