// Include in code whose handlers may wake loops (attachInterrupt(), alarms): a loop that is woken
// while another one runs then pays for that (kernel.cpp). Images without such code do not contain
// it.
#pragma once

#define HOCKET_HANDLERS_WAKE                                                               \
  " .ifndef hocket_woken_behind\n"                                                         \
  " .pushsection .text.hocket_woken_behind,\"axG\",@progbits,hocket_woken_behind,comdat\n" \
  " .global hocket_woken_behind\n"                                                         \
  " .weak hocket_pay_for_wake_up\n"                                                        \
  "hocket_woken_behind:\n"                                                                 \
  " jmp hocket_pay_for_wake_up\n"                                                          \
  " .popsection\n"                                                                         \
  " .endif\n"
