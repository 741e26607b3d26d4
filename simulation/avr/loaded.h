// An image that was read and admitted, before anything of it runs.
#pragma once

#include <string>

#include "arduino/cores/avr8/image/declared.h"
#include "simulation/program/facts.h"
#include "simulation/program/options.h"

namespace hocket::avr {

/// What the command line says about the board.
struct BoardWords {
  std::string name;
  unsigned analog_inputs = 6;
};

/// Adds the options that set these words.
void add_board_options(BoardWords& board, std::vector<program::FurtherOption>& options);
/// Throws UsageError if the command line named no board.
void check_named(const BoardWords& board);

/// An image to run, and what is known of it before the run.
struct Loaded {
  program::Options options;
  uno::Firmware firmware;
  uno::Declared declared;
  program::RunFacts facts;
};

/// Reads the image's .elf file, and admits its loops. Throws BadFirmware.
Loaded load(const program::Options& options, const BoardWords& board, const std::string& image);

/// Reports why it does not run: because it was refused, or because only a check was requested.
/// Returns the program's exit status.
int not_run(Loaded& loaded);

/// Calls a program's body. Returns its exit status, or says what went wrong.
int guarded(int (*body)(int, char**), int count, char** arguments);

}  // namespace hocket::avr
