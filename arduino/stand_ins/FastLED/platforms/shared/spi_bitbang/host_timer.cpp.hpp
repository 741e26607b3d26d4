// Stands in for the file of this name in the library FastLED (tools/hocket/stand_ins.py): the timer
// whose interrupt drives several strips at once. Sketches have none on these boards, so starting it
// fails, which the library reports.
#include "platforms/shared/spi_bitbang/spi_isr_engine.h"

int fl_spi_platform_isr_start(fl::u32) FL_NO_EXCEPT {
  return -1;
}
void fl_spi_platform_isr_stop(void) FL_NO_EXCEPT {}
