// The PL011 by interrupts: receives bytes from the host's line until a full stop and sends each
// back, next letter up.
#include BARE_BOARD

namespace {
bool failed = false;
}

void bare::run() {
  prepare_board();
  bool good = Controller::init_distributor() && Controller::init_core(0);
  good = good && Controller::enable(kUartId, hocket::drivers::Level::Ordinary, 0);
  expect(good, "interrupts");
  expect(!Uart::init(0, kUartClockHz), "no rate of 0 baud");
  expect(!Uart::init(kUartClockHz, kUartClockHz), "no rate above clock / 16");
  expect(Uart::init(115'200, kUartClockHz), "115200 baud");
  Uart::write_polled("polled\n", 7);
  line("ready for bytes");
  allow_irq();
  uint32_t count = 0;
  for (bool open = true; open;) {
    wait_until([] { return Uart::available() != 0; });
    uint8_t byte = 0;
    Uart::take_byte(byte);
    ++count;
    open = byte != '.';
    const uint8_t answer = open ? static_cast<uint8_t>(byte + 1) : '\n';
    mask_irq();
    Uart::resume();
    const bool queued = Uart::queue_bytes(&answer, 1) == 1;
    allow_irq();
    if (!queued) expect(false, "room for an answer");  // QEMU's FIFO is never full
  }
  while (!Uart::idle()) pass(1000);
  line("bytes ", uint64_t{count}, ", overruns ", uint64_t{Uart::overruns()}, ", spoiled ",
       uint64_t{Uart::line_errors()});
  expect(!failed, "only the UART interrupted");
}

void bare::irq() {
  const Controller::Id got = Controller::acknowledge_ordinary();
  if (got == Controller::kNone) return;
  if (got == kUartId) {
    Uart::interrupt();
  } else {
    failed = true;
  }
  Controller::end_ordinary(got);
}
