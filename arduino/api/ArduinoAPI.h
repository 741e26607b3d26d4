// The whole Arduino language: what every sketch sees (Language.h), and the classes that libraries
// include themselves.
//
// Deliberately without a version macro: some libraries take its presence as the sign of one
// particular vendor's core.
#pragma once

#include "Language.h"

#ifdef __cplusplus
#include "Client.h"
#include "IPAddress.h"
#include "RingBuffer.h"
#include "Server.h"
#include "Udp.h"
#endif
