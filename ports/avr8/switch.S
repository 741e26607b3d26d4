; Switches threads, starts new ones, and idles. Also the two ends of the kernel's sections: that of
; a thread's call, and that of an interrupt. Calling convention of avr-gcc and clang: calls preserve
; r2 to r17, r28 and r29.
;
;   stack of a thread that does not run, from its stack pointer up:
;     (free) r29 r28 r17 r16 … r2 return-high return-low
;
; A return address has three bytes on a processor with more than 128 KiB of flash. A pointer to a
; function has 16 bits there, too: it leads to the lowest 128 KiB, where the linker has put a jump
; to each function that lies higher and whose address is taken. `icall` and `ijmp` read no EIND, so
; no switch saves that; it is 0 as long as the sketch runs. RAMPZ, the third byte of an address that
; ELPM reads, is saved with the registers that calls do not preserve.
;
; Nothing of the idle thread is saved: its only state is the place where it waits. While it runs,
; the flag kIdle is set, and its Context has no stack pointer.
;
; flags.h and port.h define the flags and what a section is. Comments say where interrupts are
; masked.
;
; Labels tell the analysis of stack depth (tools/hocket/builder/stack_depth.py) where the stack
; pointer is again what it was at the beginning: hocket_own_stack_… after work on main()'s stack,
; and hocket_end_in_idle, where no loop's stack is in use.

#include "ports/avr8/clock_timer.h"

#include "ports/avr8/switch_numbers.h"

#define FLAGS _SFR_IO_ADDR(GPIOR0)
#define PENDING (1 << HOCKET_TIMER_DUE | 1 << HOCKET_RESCHEDULE_DUE | 1 << HOCKET_RECORDED)

; void hocket_switch(Context* from, void* to): in a thread's call, or for hocket_work. Checks the
; lowest byte of the stack that it leaves: if it has changed, the stack has overflowed. Returns
; masked, because an interrupt between its return and the following instructions would use the stack
; on top of the switched thread's frame. The section of the call ends soon, and unmasks.
  .section .text.hocket_switch,"ax",@progbits
  .global hocket_switch
hocket_switch:
  cli
  .irp register, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29
  push r\register
  .endr
  in r18, _SFR_IO_ADDR(SPL)
  in r19, _SFR_IO_ADDR(SPH)
  movw r26, r24
  st X+, r18
  st X+, r19
  ld r30, X+  ; Context::bottom
  ld r31, X
  ld r18, Z
  cpi r18, HOCKET_PAINT
  brne .Loverflow
  tst r23  ; no stack is that low
  breq .Lbecome_idle
.Lgo_on:
  sts hocket_device_count, r1
  out _SFR_IO_ADDR(SPH), r23
  out _SFR_IO_ADDR(SPL), r22
  .irp register, 29,28,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2
  pop r\register
  .endr
  ret
.Loverflow:
  jmp hocket_stack_overflow

; Begins each time with the stack that main() has left, masked. Nothing is tested between two
; sleeps; the ends of interrupts do that.
.Lbecome_idle:
  lds r24, hocket_idle_stack
  lds r25, hocket_idle_stack+1
  out _SFR_IO_ADDR(SPH), r25
  out _SFR_IO_ADDR(SPL), r24
  sbi FLAGS, HOCKET_IDLE
  rcall .Lleave_in_idle
.Lwait:
  sei
  sleep
  rjmp .Lwait

; void hocket_idle(): main() becomes the idle thread.
  .global hocket_idle
hocket_idle:
  cli
  in r24, _SFR_IO_ADDR(SPL)
  in r25, _SFR_IO_ADDR(SPH)
  sts hocket_idle_stack, r24
  sts hocket_idle_stack+1, r25
  rjmp .Lbecome_idle

; A new thread: its function is in r2:r3, the argument in r4:r5.
  .section .text.hocket_thread_start,"ax",@progbits
  .global hocket_thread_start
hocket_thread_start:
  sei
  clr r1
  movw r24, r4
  movw r30, r2
  ijmp

  .section .bss.hocket_taken_in_section,"aw",@nobits
  .global hocket_taken_in_section
hocket_taken_in_section:
  .skip 2

  .section .bss.hocket_idle_stack,"aw",@nobits
  .global hocket_idle_stack
hocket_idle_stack:
  .skip 2
  .global hocket_switch_from
  .global hocket_switch_to
hocket_switch_from:
  .skip 2
hocket_switch_to:
  .skip 2
work_stack:  ; the interrupted stack pointer, while the kernel works on main()'s stack
  .skip 2

.macro save
  push r0
  in r0, _SFR_IO_ADDR(SREG)
  push r0
#ifdef RAMPZ
  in r0, _SFR_IO_ADDR(RAMPZ)
  push r0
#endif
  push r1
  clr r1
  .irp register, 18,19,20,21,22,23,24,25,26,27
  push r\register
  .endr
.endm
.macro restore
  .irp register, 27,26,25,24,23,22,21,20,19,18
  pop r\register
  .endr
  pop r1
#ifdef RAMPZ
  pop r0
  out _SFR_IO_ADDR(RAMPZ), r0
#endif
  pop r0
  out _SFR_IO_ADDR(SREG), r0
  pop r0
.endm

; Entry of device handlers that may wake threads. HOCKET_AVR8_WAKING_HANDLER in port.h jumps here
; with r30 and r31 pushed and the handler's function in them. The registers that calls do not
; preserve are saved here; a switch, if there is one, saves the others. Outside of a kernel section
; this begins one, which ends with the handler. In idle nothing is saved, because the handler
; returns to the wait itself.
  .section .text.hocket_interrupt,"ax",@progbits
  .global hocket_interrupt
hocket_interrupt:
  sbic FLAGS, HOCKET_KERNEL
  rjmp 1f
  sbi FLAGS, HOCKET_KERNEL
  sbic FLAGS, HOCKET_IDLE
  rjmp 2f
  save
  icall
  jmp .Lleave
1:
  save
  icall
  jmp .Lrestore
2:
  icall
  jmp hocket_end_in_idle

; The same for handlers of attachInterrupt(), between two readings of the counter: their total time
; is limited (arduino/cores/avr8/storm.h, which is linked with code that jumps here).
  .section .text.hocket_pin_interrupt,"ax",@progbits
  .global hocket_pin_interrupt
.macro timed
  lds r24, CLOCK_COUNT_LOW
  push r24
  lds r24, CLOCK_COUNT_HIGH
  push r24
  in r24, _SFR_IO_ADDR(CLOCK_FLAGS)  ; (read later: it may say that the counter has wrapped, never that it will)
  push r24
  icall
  pop r20
  pop r25
  pop r24
  rcall .Lended
.endm
; The first part of hocket_handler_ended() of storm.cpp, for a handler that began at \high:\low with
; TIFR1 in \flags. The result is in r19:r18. If the counter has wrapped and has reached its old
; value or more, the time is too long to be expressed. TIFR1 is read before the counter: read after
; it, TIFR1 might report a later wrap, which does not belong to the handler.
.macro ended low, high, flags
  in r21, _SFR_IO_ADDR(CLOCK_FLAGS)
  lds r18, CLOCK_COUNT_LOW
  lds r19, CLOCK_COUNT_HIGH
  sub r18, \low
  sbc r19, \high
  brcs 7f  ; it has wrapped at most once
  sbrc \flags, TOV1
  rjmp 7f
  sbrc r21, TOV1
  rjmp 8f
7:
  subi r18, 256 - HOCKET_PIN_FRAME
  sbci r19, 255
  brcc 8f  ; (too long for 16 bits with these)
  lds r24, hocket_storm  ; Storm::used
  lds r25, hocket_storm+1
  add r24, r18
  adc r25, r19
  brcc 5f
8:
  ser r24
  ser r25
5:
  sts hocket_storm, r24
  sts hocket_storm+1, r25
  subi r24, lo8(hocket_handlers_budget)
  sbci r25, hi8(hocket_handlers_budget)
  brcs 6f
  push r18
  push r19
  call hocket_look_at_handlers
  pop r19
  pop r18
  add r18, r24  ; what that takes
  adc r19, r25
6:
.endm
hocket_pin_interrupt:
  sbic FLAGS, HOCKET_KERNEL
  rjmp 1f
  sbi FLAGS, HOCKET_KERNEL
  sbic FLAGS, HOCKET_IDLE
  rjmp 2f
  save
  timed
  movw r24, r18
  sbiw r24, 1  ; charged with 240 cycles for the way in and out, which takes 220 to 235 here
  call hocket_pass_over  ; outside of a section: not the thread's time
  jmp .Lleave
1:
  save
  timed
  lds r24, hocket_taken_in_section  ; in a thread's section, but not its time: hocket_act_upon_handlers
  lds r25, hocket_taken_in_section+1
  add r24, r18
  adc r25, r19
  sts hocket_taken_in_section, r24
  sts hocket_taken_in_section+1, r25
  sbi FLAGS, HOCKET_RECORDED
  jmp .Lrestore
2:
  lds r16, CLOCK_COUNT_LOW  ; not in use, and preserved by calls
  lds r17, CLOCK_COUNT_HIGH
  in r15, _SFR_IO_ADDR(CLOCK_FLAGS)
  icall
  ended r16, r17, r15
  jmp hocket_end_in_idle
.Lended:
  ended r24, r25, r20
  ret

; Called at the end of each fourth device interrupt, masked (arduino/cores/avr8/device_time.h).
; Preserves all registers except r0 and r24 to r27, which such a handler has saved. What it calls
; runs on main()'s stack, so a loop's stack holds no more than in an interrupt of the clock.
  .section .text.hocket_devices_took,"ax",@progbits
  .comm hocket_device_count, 1
  .global hocket_devices_took
hocket_devices_took:
  .irp register, 1,18,19,20,21,22,23,30,31
  push r\register
  .endr
  clr r1
  sts hocket_device_count, r1
  lds r18, hocket_idle_stack
  lds r19, hocket_idle_stack+1
  tst r19
  breq 1f  ; no loop runs yet
  in r24, _SFR_IO_ADDR(SPL)
  in r25, _SFR_IO_ADDR(SPH)
  sts work_stack, r24
  sts work_stack+1, r25
  sbi FLAGS, HOCKET_IN_IRQ  ; (tells the simulator whose stack is in use)
  out _SFR_IO_ADDR(SPH), r19
  out _SFR_IO_ADDR(SPL), r18
  ldi r24, lo8(HOCKET_DEVICES_TOOK)
  ldi r25, hi8(HOCKET_DEVICES_TOOK)
  call hocket_pass_over
  lds r24, work_stack
  lds r25, work_stack+1
  out _SFR_IO_ADDR(SPH), r25
  out _SFR_IO_ADDR(SPL), r24
hocket_own_stack_behind_devices:
  cbi FLAGS, HOCKET_IN_IRQ
1:
  .irp register, 31,30,23,22,21,20,19,18,1
  pop r\register
  .endr
  ret

; The time that pin handlers take in a section does not belong to the running thread. Each reading
; of the clock corrects that (Clock::now_masked()), and so does this, masked, after the kernel's
; work. Later handlers wait until the section has ended, so a stream of handlers cannot prolong a
; section. kRecorded is clear then, unless there is more to do. These are the versions for images
; without pin handlers; the others are in arduino/cores/avr8/let_in.h.
  .section .text.hocket_act_upon_handlers,"ax",@progbits
  .weak hocket_act_upon_handlers, hocket_now_behind_handlers
hocket_act_upon_handlers:
hocket_now_behind_handlers:
  ret

; The end of an interrupt that is a section.
  .section .text.hocket_switch,"ax",@progbits
.Lwork_first:
  rcall hocket_work
.Lleave:
  cli
  in r24, FLAGS
  andi r24, PENDING
  brne .Lwork_first
  cbi FLAGS, HOCKET_KERNEL
.Lrestore:
  restore
  pop r31
  pop r30
  reti
hocket_end_in_idle:
  rcall .Lleave_in_idle
  pop r31
  pop r30
  reti
.Lwork_in_idle:  ; hocket_work for idle, which saves less
  sbi FLAGS, HOCKET_IN_IRQ
  sei
  call hocket_pending
  cli
  sbic FLAGS, HOCKET_RECORDED
  call hocket_act_upon_handlers
  cbi FLAGS, HOCKET_IN_IRQ
  sbic FLAGS, HOCKET_SWITCH
  rjmp .Lgo_on_from_idle
.Lleave_in_idle:
  in r24, FLAGS
  andi r24, PENDING
  brne .Lwork_in_idle
  cbi FLAGS, HOCKET_KERNEL
  ret
.Lgo_on_from_idle:
  cbi FLAGS, HOCKET_SWITCH
  cbi FLAGS, HOCKET_IDLE
  lds r22, hocket_switch_to
  lds r23, hocket_switch_to+1
  rjmp .Lgo_on

; The clock's two interrupts, which belong to the kernel. During a section they are only noted.
  .global CLOCK_COMPARE_A_VECTOR
  .global CLOCK_COMPARE_B_VECTOR
CLOCK_COMPARE_B_VECTOR:
  sbi FLAGS, HOCKET_RESCHEDULE_DUE
  rjmp .Lclock
CLOCK_COMPARE_A_VECTOR:
  sbi FLAGS, HOCKET_TIMER_DUE
.Lclock:
  sbic FLAGS, HOCKET_KERNEL
  reti
  sbi FLAGS, HOCKET_KERNEL
  push r30
  push r31
  sbic FLAGS, HOCKET_IDLE
  rjmp hocket_end_in_idle
  save
  rjmp .Lwork_first

; void hocket_on_main_stack(void (*function)(void*), void* argument): see port.h. Returns masked,
; except after a call from a handler that must not wait: that is on main()'s stack already, or may
; be.
  .global hocket_on_main_stack
hocket_on_main_stack:
  movw r30, r24
  sbic FLAGS, HOCKET_IDLE
  rjmp 1f
  sbic FLAGS, HOCKET_IN_IRQ
  rjmp 1f
  movw r26, r22
  cli
  rjmp .Lon_main_stack
1:
  movw r24, r22
  ijmp

; Does the kernel's pending work, unmasked, on main()'s stack (on the present stack before there is
; an idle thread), and then switches to the thread that is to run. Called masked, and returns
; masked, perhaps much later.
hocket_work:
  ldi r30, lo8(gs(hocket_pending))
  ldi r31, hi8(gs(hocket_pending))
.Lon_main_stack:
  in r24, _SFR_IO_ADDR(SPL)
  in r25, _SFR_IO_ADDR(SPH)
  sts work_stack, r24
  sts work_stack+1, r25
  lds r22, hocket_idle_stack
  lds r23, hocket_idle_stack+1
  tst r23
  breq 1f
  out _SFR_IO_ADDR(SPH), r23
  out _SFR_IO_ADDR(SPL), r22
1:
  sbi FLAGS, HOCKET_IN_IRQ
  sei
  movw r24, r26
  icall
  cli
  sbic FLAGS, HOCKET_RECORDED
  call hocket_act_upon_handlers
  lds r24, work_stack
  lds r25, work_stack+1
  out _SFR_IO_ADDR(SPH), r25
  out _SFR_IO_ADDR(SPL), r24
hocket_own_stack_behind_work:
  cbi FLAGS, HOCKET_IN_IRQ
  sbis FLAGS, HOCKET_SWITCH
  ret
  cbi FLAGS, HOCKET_SWITCH
  lds r22, hocket_switch_to
  lds r23, hocket_switch_to+1
  lds r24, hocket_switch_from
  lds r25, hocket_switch_from+1
  rcall hocket_switch
  ret

; void hocket_close(uint8_t state): ends a section that irq_save() began. If the caller had masked
; interrupts, pending work waits until they are unmasked: the reschedule interrupt comes then.
  .global hocket_close
hocket_close:
  sbrc r24, 0  ; Avr8Port::kNested
  ret
1:
  cli
  in r25, FLAGS
  andi r25, PENDING
  brne 2f
3:
  cbi FLAGS, HOCKET_KERNEL
  out _SFR_IO_ADDR(SREG), r24
  ret
2:
  push r24
  sbrc r24, 7
  rjmp 4f
  call hocket_send_reschedule
  pop r24
  rjmp 3b
4:
  rcall hocket_work
  pop r24
  rjmp 1b
