; The two-wire interface's interrupt: the next step of the transfer that is under way (two_wire.h), by what
; the status tells of the last one (data sheet, tables 21-3 and 21-4). 88 cycles at most, as a character of
; Serial, and 176 for the end: so they are paid for and given back as one and as two (device_time.h;
; tests/uno/test_buses_of_loops.py measures it).
;
; Where another controller has the bus, and the sketch is a device, it is hocket_wire_device()'s
; (two_wire_slave.cpp).

#include <avr/io.h>

#include "arduino/cores/avr8/assembler_numbers.h"
#include "ports/avr8/switch_numbers.h"

#define GO (1 << TWINT | 1 << TWEN | 1 << TWIE)
#define BEGIN (GO | 1 << TWSTA)
#define LEAVE (1 << TWINT | 1 << TWEN)
#define STOPS (LEAVE | 1 << TWSTO)

  .weak hocket_wire_device

  .section .text.TWI_vect,"ax",@progbits
  .global hocket_wire_steps
hocket_wire_steps:  ; for two_wire.cpp, which takes it along
  .global TWI_vect
TWI_vect:
  push r24
  in r24, _SFR_IO_ADDR(SREG)
  push r24
  push r25
  push r30
  push r31
  lds r30, hocket_wire_current
  lds r31, hocket_wire_current+1
  lds r25, TWSR
  andi r25, 0xf8
  tst r31
  brne 6f
  rjmp .Lother  ; there is none
6:
  cpi r25, 0x28  ; a byte that was written was acknowledged
  breq .Lwritten
  cpi r25, 0x50  ; a byte came, and was acknowledged
  breq .Lcame
  cpi r25, 0x58  ; the last one came
  breq .Llast
  cpi r25, 0x18  ; the address, for writing, was acknowledged
  breq .Lwritten
  cpi r25, 0x40  ; … for reading
  breq .Lread_on
  cpi r25, 0x08  ; a start
  breq .Lbegun
  cpi r25, 0x10  ; a repeated start
  breq .Lbegun
  rjmp .Lother

.Lbegun:
  ldd r24, Z+HOCKET_TALK_SELECTED
  rjmp .Lsend

.Lwritten:
  ldd r24, Z+HOCKET_TALK_AT
  ldd r25, Z+HOCKET_TALK_OUT_SIZE
  cp r24, r25
  brcc .Lall_written
  inc r24
  std Z+HOCKET_TALK_AT, r24
  add r30, r24
  brcc 1f
  inc r31
1:
  ldd r24, Z+HOCKET_TALK_OUT-1
.Lsend:
  sts TWDR, r24
  ldi r25, GO
  rjmp .Lset

.Lcame:
  ldd r24, Z+HOCKET_TALK_AT
  inc r24
  std Z+HOCKET_TALK_AT, r24
  ldd r25, Z+HOCKET_TALK_READS
  dec r25
  cp r24, r25  ; the last one that is wanted is not acknowledged
  ldi r25, GO
  brcc 2f
  ldi r25, GO | 1 << TWEA
2:
  add r30, r24
  brcc 3f
  inc r31
3:
  lds r24, TWDR
  std Z+HOCKET_TALK_IN-1, r24
  rjmp .Lset

.Lread_on:
  ldd r24, Z+HOCKET_TALK_READS
  cpi r24, 2
  ldi r25, GO
  brcs .Lset
  ldi r25, GO | 1 << TWEA
  rjmp .Lset

.Lall_written:
  ldd r25, Z+HOCKET_TALK_READS
  tst r25
  breq .Ldone
  ldi r24, 0
  std Z+HOCKET_TALK_AT, r24
  ldd r24, Z+HOCKET_TALK_SELECTED
  ori r24, 1
  std Z+HOCKET_TALK_SELECTED, r24
  ldi r25, BEGIN
  rjmp .Lset

.Llast:
  ldd r24, Z+HOCKET_TALK_AT
  inc r24
  std Z+HOCKET_TALK_IN_SIZE, r24  ; all have come
  mov r25, r30
  add r30, r24
  brcc 4f
  inc r31
4:
  lds r24, TWDR
  std Z+HOCKET_TALK_IN-1, r24
  mov r30, r25
  lds r31, hocket_wire_current+1
.Ldone:
  ldd r24, Z+HOCKET_TALK_STOP
  ldi r25, STOPS
  cpi r24, 0
  ldi r24, HOCKET_WIRE_DONE
  brne .Lfinish
  ldi r25, 1 << TWEN  ; kept: the clock is held low, and the next transfer begins with a repeated start
.Lfinish:  ; r24: what the end is, r25: what it is on the bus
  std Z+HOCKET_TALK_END, r24
  ldd r24, Z+HOCKET_TALK_BEHIND
  ldd r31, Z+HOCKET_TALK_BEHIND+1
  sts hocket_wire_current, r24
  sts hocket_wire_current+1, r31
  lds r24, hocket_wire_idle
  tst r31
  breq 5f
  ldi r24, BEGIN  ; the next one
5:
  or r25, r24
  sbrs r25, TWINT
  ldi r25, 1 << TWEN  ; while it is kept: with TWIE, of a device, this interrupt would come again at once
  ldi r30, 2  ; it takes longer than the others: 100 cycles
  rjmp .Lcount
.Lset:
  ldi r30, 1
.Lcount:
  sts TWCR, r25
  ; As device_ended() (device_time.h).
  sbic _SFR_IO_ADDR(GPIOR0), HOCKET_KERNEL
  rjmp .Lleave
  sbic _SFR_IO_ADDR(GPIOR0), HOCKET_IDLE
  rjmp .Lleave
  lds r24, hocket_device_count
  add r24, r30
  sts hocket_device_count, r24
  sbrs r24, 2
  rjmp .Lleave
  push r0
  push r26
  push r27
  call hocket_devices_took
  pop r27
  pop r26
  pop r0
.Lleave:
  pop r31
  pop r30
  pop r25
  pop r24
  out _SFR_IO_ADDR(SREG), r24
  pop r24
  reti

.Lother:
  cpi r25, 0x60
  brcc .Ldevice
  tst r31
  breq .Lnobodys
  ldi r24, HOCKET_WIRE_NO_DEVICE
  cpi r25, 0x20
  breq .Lfailed
  cpi r25, 0x48
  breq .Lfailed
  ldi r24, HOCKET_WIRE_NOT_TAKEN
  cpi r25, 0x30
  breq .Lfailed
  ldi r24, HOCKET_WIRE_FAILED
  cpi r25, 0x38
  ldi r25, LEAVE  ; another controller was faster: the bus is its
  breq 7f
.Lfailed:
  ldi r25, STOPS
7:
  rjmp .Lfinish
.Ldevice:
  ldi r24, pm_lo8(hocket_wire_device)
  ldi r25, pm_hi8(hocket_wire_device)
  or r24, r25
  breq .Lnobodys
  pop r31
  pop r30
  pop r25
  pop r24
  out _SFR_IO_ADDR(SREG), r24
  pop r24
  jmp hocket_wire_device  ; an interrupt function: it saves what it uses and ends with reti
.Lnobodys:
  lds r25, hocket_wire_idle
  ori r25, STOPS  ; a bus error (table 21-7) is left so; nothing goes out, since the bus is not ours
  rjmp .Lset

  ; Without a kernel no limit exists (device_time.h).
  .comm hocket_device_count, 1
  .weak hocket_has_devices
  .set hocket_has_devices, 1
  .section .text.hocket_no_limit,"axG",@progbits,hocket_no_limit,comdat
  .weak hocket_devices_took, hocket_pay, hocket_no_limit
hocket_devices_took:
hocket_pay:
hocket_no_limit:
  ret
