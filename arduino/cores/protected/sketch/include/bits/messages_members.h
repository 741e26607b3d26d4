// Without the catalogues of messages of GNU's libintl, which a board does not have. From GCC 13 on
// <chrono> includes <locale>, and with it this header; its members are of templates that no sketch
// instantiates.
#pragma once
