; The contents of pin_tables.S for an ATmega328P with the pins of an Uno.

#define PORT_B 2
#define PORT_C 3
#define PORT_D 4

  table digital_pin_to_port_PGM
  .byte PORT_D, PORT_D, PORT_D, PORT_D, PORT_D, PORT_D, PORT_D, PORT_D
  .byte PORT_B, PORT_B, PORT_B, PORT_B, PORT_B, PORT_B
  .byte PORT_C, PORT_C, PORT_C, PORT_C, PORT_C, PORT_C
  .size digital_pin_to_port_PGM, . - digital_pin_to_port_PGM

  table digital_pin_to_bit_mask_PGM
  .byte 1, 2, 4, 8, 16, 32, 64, 128
  .byte 1, 2, 4, 8, 16, 32
  .byte 1, 2, 4, 8, 16, 32
  .size digital_pin_to_bit_mask_PGM, . - digital_pin_to_bit_mask_PGM

  table digital_pin_to_timer_PGM  ; the numbers of arduino/variants/timer_names.h
  .byte 0, 0, 0, 8, 0, 2, 1, 0
  .byte 0, 3, 4, 7, 0, 0
  .byte 0, 0, 0, 0, 0, 0
  .size digital_pin_to_timer_PGM, . - digital_pin_to_timer_PGM

  table port_to_mode_PGM
  .word 0, 0, _SFR_MEM_ADDR(DDRB), _SFR_MEM_ADDR(DDRC), _SFR_MEM_ADDR(DDRD)
  .size port_to_mode_PGM, . - port_to_mode_PGM

  table port_to_output_PGM
  .word 0, 0, _SFR_MEM_ADDR(PORTB), _SFR_MEM_ADDR(PORTC), _SFR_MEM_ADDR(PORTD)
  .size port_to_output_PGM, . - port_to_output_PGM

  table port_to_input_PGM
  .word 0, 0, _SFR_MEM_ADDR(PINB), _SFR_MEM_ADDR(PINC), _SFR_MEM_ADDR(PIND)
  .size port_to_input_PGM, . - port_to_input_PGM
