// Admits the loops of an AVR's image and runs nothing: `avr_check --board NAME --image SKETCH.elf`
// with the options of docs/reference/sim-program.md. It needs no simulator, so images for real
// boards are checked without one, by the code that admits simulated ones.
#include "simulation/avr/loaded.h"

namespace hocket::avr {
namespace {

int check(int count, char** arguments) {
  BoardWords board;
  std::string image;
  std::vector<program::FurtherOption> further;
  add_board_options(board, further);
  further.push_back({"image", true, [&image](const char* value) { image = value; }});
  const program::Options options = program::parse_options(count, arguments, 1, further);
  check_named(board);
  Loaded loaded = load(options, board, image);
  return not_run(loaded);
}

}  // namespace
}  // namespace hocket::avr

int main(int count, char** arguments) {
  return hocket::avr::guarded(hocket::avr::check, count, arguments);
}
