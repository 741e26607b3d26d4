// What happened up to now, as far as it is kept: who had each core, what each loop did, levels of pins, touches.
//
// The board tells who ran, why it stopped, and who became ready. What a loop did between is made of that here.
import type { Frame, Hello, Level, LoopInfo, Span } from "./protocol.ts";
import { Marks } from "./timeline/marks.ts";
import { Track } from "./timeline/track.ts";

/** runs; could run, but another has the core; has used its budget up. Nothing: it rests. */
export type Doing = "run" | "ready" | "exhausted";

export const KERNEL = -1; // setup() and the kernel's own

export class LoopHistory {
  readonly states = new Track<Doing>();
  readonly runs = new Track<number>(); // the core
  readonly releases = new Marks<number>(); // the deadline
  response: number | null = null; // the longest so far
  misses: number | null = null; // null: the board does not tell
  private counted = false; // by the kernel: nothing is reckoned here
  private since: { from: number; doing: Doing } | null = null; // what is not over yet
  private ready: number | null = null; // when what it does now began to be due

  constructor(readonly info: LoopInfo) {}

  release(at: number, deadline: number): void {
    this.releases.add(at, deadline);
    this.ready ??= at;
    if (this.since?.doing === "run") return;
    this.enter(at, "ready");
  }

  begins(span: Span): void {
    this.enter(span.from, "run");
  }

  ends(span: Span): void {
    this.runs.add(span.from, span.to, span.core);
    this.enter(span.to, AFTER[span.why] ?? null);
    if (AFTER[span.why] !== undefined || this.ready === null) return;
    if (!this.counted) this.response = Math.max(this.response ?? 0, span.to - this.ready);
    this.ready = null;
  }

  /** It runs, and has not stopped. */
  runsSince(at: number): void {
    if (this.since?.doing !== "run") this.enter(at, "run");
  }

  count(response: number | null, misses: number): void {
    this.counted = true;
    this.response = response;
    this.misses = misses;
  }

  private enter(at: number, doing: Doing | null): void {
    if (this.since && at > this.since.from) this.states.add(this.since.from, at, this.since.doing);
    this.since = doing === null ? null : { from: at, doing };
  }

  /** What it does at an instant that is not behind now, and from when to when. */
  at(instant: number, now: number): { from: number; to: number; doing: Doing } | null {
    if (this.since && instant >= this.since.from) return { from: this.since.from, to: now, doing: this.since.doing };
    const piece = this.states.at(instant);
    return piece && { from: piece.from, to: piece.to, doing: piece.value };
  }

  each(from: number, to: number, now: number, see: (from: number, to: number, doing: Doing) => void): void {
    this.states.each(from, to, see);
    if (this.since && this.since.from < to && now > from) see(this.since.from, now, this.since.doing);
  }

  /** Processor time up to an instant. */
  ranUpTo(at: number): number {
    const open = this.since?.doing === "run" ? Math.max(0, at - this.since.from) : 0;
    return this.runs.lengthUpTo(at) + open;
  }
}

const AFTER: Record<string, Doing> = { exhausted: "exhausted", preempted: "ready" };

export class History {
  now = 0;
  readonly cores: Track<number>[] = []; // the loop that has it
  readonly open = new Map<number, { loop: number; since: number }>(); // who has a core now
  readonly loops = new Map<number, LoopHistory>();
  readonly pins = new Map<number, Marks<Level>>();
  readonly touches = new Marks<string>();
  lost = 0;

  constructor(hello: Hello) {
    for (let core = 0; core < hello.cores; core++) this.cores.push(new Track<number>());
    for (const info of hello.loops) this.loops.set(info.id, new LoopHistory(info));
  }

  take(frame: Frame): void {
    this.now = Math.max(this.now, frame.now);
    this.lost += frame.lost;
    this.takeLoops(frame);
    for (const change of frame.changes) {
      let pin = this.pins.get(change.pin);
      if (!pin) this.pins.set(change.pin, (pin = new Marks<Level>()));
      pin.add(change.at, change.level);
    }
    for (const touch of frame.touched) this.touches.add(touch.at, touch.text);
  }

  /** In order of time; at one instant ends come before releases, and beginnings last. */
  private takeLoops(frame: Frame): void {
    const events: [number, number, () => void][] = [];
    for (const span of frame.spans) {
      this.cores[span.core]?.add(span.from, span.to, span.loop);
      const loop = this.loops.get(span.loop);
      if (!loop) continue;
      events.push([span.from, 2, () => loop.begins(span)], [span.to, 0, () => loop.ends(span)]);
    }
    for (const { loop, at, deadline } of frame.releases) {
      const found = this.loops.get(loop);
      if (found) events.push([at, 1, () => found.release(at, deadline)]);
    }
    events.sort(([a, first], [b, second]) => a - b || first - second);
    for (const [, , act] of events) act();
    this.open.clear();
    for (const { core, loop, since } of frame.running) {
      this.open.set(core, { loop, since });
      this.loops.get(loop)?.runsSince(since);
    }
    for (const { loop, response, misses } of frame.loops) this.loops.get(loop)?.count(response, misses);
  }

  /** Who had a core, piece by piece, up to now. */
  eachOn(core: number, from: number, to: number, see: (from: number, to: number, loop: number) => void): void {
    this.cores[core]?.each(from, to, see);
    const open = this.open.get(core);
    if (open && open.since < to && this.now > from) see(open.since, this.now, open.loop);
  }

  /** The report of the run has the kernel's own figures. */
  conclude(report: Record<string, unknown>): void {
    for (const entry of Array.isArray(report["loops"]) ? report["loops"] : []) {
      const { id, max_response_us: response, deadline_misses: misses } = (entry ?? {}) as Record<string, unknown>;
      if (typeof id !== "number" || typeof misses !== "number") continue;
      this.loops.get(id)?.count(typeof response === "number" ? Math.round(response * 1000) : null, misses);
    }
  }

  /**
   * What of a loop's budget is used at an instant, and not yet back: what it ran since its first release within the
   * last period. What it uses after a release comes back a period behind that release.
   */
  used(loop: number, at: number): number {
    const found = this.loops.get(loop);
    if (!found) return 0;
    const { releases, info } = found;
    const release = releases.mark(releases.firstFrom(at - info.period + 1));
    return release && release.at <= at ? found.ranUpTo(at) - found.ranUpTo(release.at) : 0;
  }
}
