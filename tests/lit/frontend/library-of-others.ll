; Functions of gpuprof's own CUDA header are inline ones, and keep their roundings. NVIDIA's library is linked into the module,
; and a program may have functions of such names: these keep what -ffast-math says, as on a GPU.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-library-functions -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @__nv_own(
; CHECK-NEXT: fadd float %a, 1.0
define linkonce_odr float @__nv_own(float %a) {
  %sum = fadd contract float %a, 1.0
  ret float %sum
}

; CHECK-LABEL: @__nv_linked(
; CHECK-NEXT: fadd contract float %a, 1.0
define internal float @__nv_linked(float %a) #0 {
  %sum = fadd contract float %a, 1.0
  ret float %sum
}

; CHECK-LABEL: @gpuprof_of_the_program(
; CHECK-NEXT: fadd contract float %a, 1.0
define float @gpuprof_of_the_program(float %a) {
  %sum = fadd contract float %a, 1.0
  %both = call float @__nv_linked(float %sum)
  ret float %both
}

; CHECK: "no-nans-fp-math"="true"
attributes #0 = { "no-nans-fp-math"="true" }
