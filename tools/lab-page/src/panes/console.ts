// The serial console: what the sketch sends, with its instants on demand, and a line to send.
import { byId, make } from "../dom.ts";
import type { Command, Frame } from "../protocol.ts";
import { clock } from "../times.ts";
import { Lines } from "./lines.ts";

const KEPT = 2000; // lines on the page

const ENDINGS: Record<string, string> = { lf: "\n", crlf: "\r\n", cr: "\r", none: "" };

export class ConsolePane {
  private readonly output = byId("serial");
  private readonly input = byId<HTMLInputElement>("serial-line");
  private readonly port = byId<HTMLSelectElement>("serial-port");
  private readonly times = byId<HTMLInputElement>("serial-times");
  private readonly lines = new Map<number, Lines>();
  private readonly sent: string[] = [];
  private recalled = 0;

  constructor(send: (command: Command) => void) {
    byId<HTMLFormElement>("serial-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const ending = ENDINGS[byId<HTMLSelectElement>("serial-ending").value] ?? "\n";
      send({ do: "serial", port: Number(this.port.value), text: this.input.value + ending });
      if (this.input.value) this.sent.push(this.input.value);
      this.recalled = this.sent.length;
      this.input.value = "";
    });
    this.input.addEventListener("keydown", (event) => this.recall(event));
    byId("serial-clear").addEventListener("click", () => this.clear());
    this.times.addEventListener("change", () => this.output.classList.toggle("timed", this.times.checked));
  }

  clear(): void {
    this.output.replaceChildren();
    this.lines.clear();
  }

  take(serial: Frame["serial"]): void {
    if (serial.length === 0) return;
    const atEnd = this.output.scrollTop + this.output.clientHeight >= this.output.scrollHeight - 8;
    for (const piece of serial) {
      let lines = this.lines.get(piece.port);
      if (!lines) this.lines.set(piece.port, (lines = new Lines()));
      for (const line of lines.take(piece.text, piece.at)) this.show(piece.port, line.id, line.text, line.at);
    }
    while (this.output.childElementCount > KEPT) this.output.firstElementChild!.remove();
    if (atEnd) this.output.scrollTop = this.output.scrollHeight;
  }

  /** A line anew, or more of one that is not over. */
  private show(port: number, id: number, text: string, at: number): void {
    const key = `${port}-${id}`;
    const shown = this.output.querySelector(`[data-line="${key}"] .what`);
    if (shown) {
      shown.textContent = text;
      return;
    }
    this.addPort(port);
    this.output.append(
      make("div", { "data-line": key, "data-port": port },
        make("span", { class: "when" }, clock(at)),
        make("span", { class: "port" }, port === 0 ? "" : `${port}`),
        make("span", { class: "what" }, text)),
    );
  }

  private addPort(port: number): void {
    if ([...this.port.options].some((option) => option.value === String(port))) return;
    this.port.append(make("option", { value: port }, port === 0 ? "Serial" : `Serial${port}`));
  }

  /** Arrow keys bring back what was sent before. */
  private recall(event: KeyboardEvent): void {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.recalled = Math.max(0, Math.min(this.sent.length, this.recalled + by));
    this.input.value = this.sent[this.recalled] ?? "";
  }
}
