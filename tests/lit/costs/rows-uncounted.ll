; A row each: instructions foreign to device code are named, and not counted.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of opcode.va_arg:
; CHECK: {{^}} uncounted: instruction va_arg (variable arguments are read by code that is made later)
define void @opcode.va_arg(ptr %p) {
  %1 = va_arg ptr %p, i32
  ret void
}

; CHECK-LABEL: costs of opcode.callbr:
; CHECK: {{^}} uncounted: instruction callbr (device code has no asm goto)
define void @opcode.callbr() {
  callbr void asm "", "!i"() to label %next [label %next]
next:
  ret void
}

; CHECK-LABEL: costs of opcode.invoke:
; CHECK: {{^}} uncounted: instruction invoke (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction landingpad (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction resume (device code has no exceptions)
define void @opcode.invoke() personality ptr @personality {
  invoke void @end() to label %next unwind label %pad
next:
  ret void
pad:
  %1 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %1
}

; CHECK-LABEL: costs of opcode.landingpad:
; CHECK: {{^}} uncounted: instruction invoke (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction landingpad (device code has no exceptions)
define void @opcode.landingpad() personality ptr @personality {
  invoke void @end() to label %next unwind label %pad
next:
  ret void
pad:
  %1 = landingpad { ptr, i32 } cleanup
  unreachable
}

; CHECK-LABEL: costs of opcode.resume:
; CHECK: {{^}} uncounted: instruction invoke (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction landingpad (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction resume (device code has no exceptions)
define void @opcode.resume() personality ptr @personality {
  invoke void @end() to label %next unwind label %pad
next:
  ret void
pad:
  %1 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %1
}

; CHECK-LABEL: costs of opcode.cleanuppad:
; CHECK: {{^}} uncounted: instruction invoke (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction cleanuppad (device code has no exceptions)
define void @opcode.cleanuppad() personality ptr @__CxxFrameHandler3 {
  invoke void @end() to label %next unwind label %pad
next:
  ret void
pad:
  %1 = cleanuppad within none []
  unreachable
}

; CHECK-LABEL: costs of opcode.cleanupret:
; CHECK: {{^}} uncounted: instruction invoke (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction cleanuppad (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction cleanupret (device code has no exceptions)
define void @opcode.cleanupret() personality ptr @__CxxFrameHandler3 {
  invoke void @end() to label %next unwind label %pad
next:
  ret void
pad:
  %1 = cleanuppad within none []
  cleanupret from %1 unwind to caller
}

; CHECK-LABEL: costs of opcode.catchswitch:
; CHECK: {{^}} uncounted: instruction invoke (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction catchswitch (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction catchpad (device code has no exceptions)
define void @opcode.catchswitch() personality ptr @__CxxFrameHandler3 {
  invoke void @end() to label %next unwind label %pad
next:
  ret void
pad:
  %1 = catchswitch within none [label %catch] unwind to caller
catch:
  %2 = catchpad within %1 [ptr null, i32 64, ptr null]
  unreachable
}

; CHECK-LABEL: costs of opcode.catchpad:
; CHECK: {{^}} uncounted: instruction invoke (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction catchswitch (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction catchpad (device code has no exceptions)
define void @opcode.catchpad() personality ptr @__CxxFrameHandler3 {
  invoke void @end() to label %next unwind label %pad
next:
  ret void
pad:
  %1 = catchswitch within none [label %catch] unwind to caller
catch:
  %2 = catchpad within %1 [ptr null, i32 64, ptr null]
  unreachable
}

; CHECK-LABEL: costs of opcode.catchret:
; CHECK: {{^}} uncounted: instruction invoke (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction catchswitch (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction catchpad (device code has no exceptions)
; CHECK: {{^}} uncounted: instruction catchret (device code has no exceptions)
define void @opcode.catchret() personality ptr @__CxxFrameHandler3 {
  invoke void @end() to label %next unwind label %pad
next:
  ret void
pad:
  %1 = catchswitch within none [label %catch] unwind to caller
catch:
  %2 = catchpad within %1 [ptr null, i32 64, ptr null]
  catchret from %2 to label %next
}

; CHECK: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare i32 @personality(...)
declare i32 @__CxxFrameHandler3(...)
