// The page of `hocket lab`: takes the board's messages and tells each part of the page.
import { Board } from "./board.ts";
import { Builder } from "./build/builder.ts";
import { Connection } from "./connection.ts";
import { byId, write } from "./dom.ts";
import { History } from "./history.ts";
import { keys } from "./keys.ts";
import { ConsolePane } from "./panes/console.ts";
import { LoopsPane } from "./panes/loops.ts";
import { PlotterPane } from "./panes/plotter.ts";
import { Bench } from "./parts/bench.ts";
import type { Command, End, Frame, Hello, Message } from "./protocol.ts";
import { Sound } from "./sound.ts";
import { TimelinePanel } from "./timeline/panel.ts";
import { Toolbar } from "./toolbar.ts";
import { Wires } from "./wires.ts";

class Lab {
  private readonly send = (command: Command): void => this.connection.send(command);
  private readonly toolbar = new Toolbar(this.send);
  private readonly board = new Board(this.send);
  private readonly sound = new Sound(byId<HTMLButtonElement>("sound"));
  private readonly bench = new Bench(this.board, this.sound, this.send);
  private readonly wires = new Wires(byId("bench-inner"), byId("board"), this.board);
  private readonly builder = new Builder(this.board, this.wires, this.send, () => this.showWires());
  private readonly timeline = new TimelinePanel(byId("timeline"), byId("timeline-buttons"));
  private readonly serial = new ConsolePane(this.send);
  private readonly plotter = new PlotterPane();
  private readonly loops = new LoopsPane();
  private readonly trouble = byId("trouble");
  private history: History | null = null;
  private ended = false;
  private frames = 0;
  private parts = 0;
  private readonly connection: Connection;

  constructor() {
    this.connection = new Connection({
      opened: () => this.say(""),
      closed: () => this.closed(),
      message: (message) => this.take(message),
      unreadable: (why) => this.say(`The board sent something that this page does not understand: ${why}.`),
    });
    keys({
      toggle: () => this.toolbar.toggle(),
      step: () => this.toolbar.next(),
      live: () => this.timeline.follow(true),
    });
  }

  private take(message: Message): void {
    if (message.is === "hello") this.begin(message);
    else if (message.is === "frame") this.frame(message);
    else if (message.is === "end") this.end(message);
    else if (message.is === "touches") save(message.text);
    else if (message.is === "error") this.say(message.text);
    else this.builder.take(message);
  }

  private showWires(): void {
    this.wires.show(this.bench.wires());
    byId("no-parts").hidden = this.parts > 0;
  }

  /** A run begins, or begins again. */
  private begin(hello: Hello): void {
    this.history = new History(hello);
    this.ended = false;
    this.say("");
    this.toolbar.begin(hello);
    this.board.begin(hello);
    this.sound.begin(hello.parts.some((part) => part.type === "buzzer"));
    this.bench.begin(hello);
    this.parts = hello.parts.length;
    this.builder.begin(hello.trouble !== "");
    if (hello.trouble !== "") this.say(`The board runs without its parts, because the scenario has an error.\n${hello.trouble}`);
    if (!this.builder.active) this.showWires();
    this.loops.begin(hello);
    this.serial.clear();
    this.plotter.clear();
    this.timeline.begin(hello, this.history);
  }

  private frame(frame: Frame): void {
    if (!this.history) return;
    this.history.take(frame);
    this.toolbar.show(frame);
    this.board.take(frame.pins, frame.serial.length > 0);
    this.bench.take(frame);
    this.wires.light(frame.pins.map((pin) => pin.pin));
    this.serial.take(frame.serial);
    this.plotter.take(frame.serial);
    this.loops.show(this.history);
    this.timeline.redraw();
    if (this.history.lost > 0) this.say(`${this.history.lost} events came too fast to be shown.`);
    document.body.dataset["frames"] = String(++this.frames);
  }

  private end(end: End): void {
    this.ended = true;
    this.sound.silence();
    this.toolbar.ended(end);
    if (this.history && end.report) {
      this.history.conclude(end.report);
      this.loops.show(this.history);
    }
    if (end.text) this.say(end.text);
  }

  private closed(): void {
    this.sound.silence();
    this.toolbar.lost(this.ended ? "ended" : "the board is gone");
    if (!this.ended) this.say("The line to hocket is closed: the run is over, or was ended in the terminal.");
  }

  private say(words: string): void {
    this.trouble.hidden = words === "";
    write(this.trouble, words);
  }
}

/** To a file of the reader's: the touches, for `hocket run --touches`. */
function save(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = "touches.jsonl";
  link.click();
  URL.revokeObjectURL(link.href);
}

new Lab();
