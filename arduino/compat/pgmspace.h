// Another name for <avr/pgmspace.h>, which some libraries use on processors other than AVR.
#pragma once

#include <avr/pgmspace.h>
