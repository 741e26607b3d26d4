; The contents of pin_tables.S for an ATmega2560 with the pins of a Mega. Ports: 1 for A, 12 for L; there is no I.

  table digital_pin_to_port_PGM
  .byte 5, 5, 5, 5, 7, 5, 8, 8, 8, 8, 2, 2, 2, 2
  .byte 10, 10, 8, 8, 4, 4, 4, 4, 1, 1, 1, 1, 1, 1
  .byte 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 4, 7, 7, 7
  .byte 12, 12, 12, 12, 12, 12, 12, 12, 2, 2, 2, 2, 6, 6
  .byte 6, 6, 6, 6, 6, 6, 11, 11, 11, 11, 11, 11, 11, 11
  .size digital_pin_to_port_PGM, . - digital_pin_to_port_PGM

  table digital_pin_to_bit_mask_PGM
  .byte 1, 2, 16, 32, 32, 8, 8, 16, 32, 64, 16, 32, 64, 128
  .byte 2, 1, 2, 1, 8, 4, 2, 1, 1, 2, 4, 8, 16, 32
  .byte 64, 128, 128, 64, 32, 16, 8, 4, 2, 1, 128, 4, 2, 1
  .byte 128, 64, 32, 16, 8, 4, 2, 1, 8, 4, 2, 1, 1, 2
  .byte 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128
  .size digital_pin_to_bit_mask_PGM, . - digital_pin_to_bit_mask_PGM

  table digital_pin_to_timer_PGM
  .byte 0, 0, 10, 11, 2, 9, 12, 13, 14, 8, 7, 3, 4, 1
  .byte 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  .byte 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  .byte 0, 0, 18, 17, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0
  .byte 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  .size digital_pin_to_timer_PGM, . - digital_pin_to_timer_PGM

  table port_to_mode_PGM
  .word 0, _SFR_MEM_ADDR(DDRA), _SFR_MEM_ADDR(DDRB), _SFR_MEM_ADDR(DDRC), _SFR_MEM_ADDR(DDRD), _SFR_MEM_ADDR(DDRE), _SFR_MEM_ADDR(DDRF)
  .word _SFR_MEM_ADDR(DDRG), _SFR_MEM_ADDR(DDRH), 0, _SFR_MEM_ADDR(DDRJ), _SFR_MEM_ADDR(DDRK), _SFR_MEM_ADDR(DDRL)
  .size port_to_mode_PGM, . - port_to_mode_PGM

  table port_to_output_PGM
  .word 0, _SFR_MEM_ADDR(PORTA), _SFR_MEM_ADDR(PORTB), _SFR_MEM_ADDR(PORTC), _SFR_MEM_ADDR(PORTD), _SFR_MEM_ADDR(PORTE), _SFR_MEM_ADDR(PORTF)
  .word _SFR_MEM_ADDR(PORTG), _SFR_MEM_ADDR(PORTH), 0, _SFR_MEM_ADDR(PORTJ), _SFR_MEM_ADDR(PORTK), _SFR_MEM_ADDR(PORTL)
  .size port_to_output_PGM, . - port_to_output_PGM

  table port_to_input_PGM
  .word 0, _SFR_MEM_ADDR(PINA), _SFR_MEM_ADDR(PINB), _SFR_MEM_ADDR(PINC), _SFR_MEM_ADDR(PIND), _SFR_MEM_ADDR(PINE), _SFR_MEM_ADDR(PINF)
  .word _SFR_MEM_ADDR(PING), _SFR_MEM_ADDR(PINH), 0, _SFR_MEM_ADDR(PINJ), _SFR_MEM_ADDR(PINK), _SFR_MEM_ADDR(PINL)
  .size port_to_input_PGM, . - port_to_input_PGM
