// The messages between page and board, as docs/reference/lab-protocol.md has them. Times are nanoseconds of the board.
//
// A message is read completely before anything of it is used: what does not have the form throws MessageError.

export type Level = 0 | 1 | "z" | "x"; // low, high, floating, two outputs against each other

export interface PinInfo {
  pin: number;
  name: string;
  pwm: boolean;
  analog: boolean;
}

export interface Control {
  name: string;
  kind: string; // "bool", "number", "key"
  to?: boolean | number; // at the beginning
  least?: number;
  most?: number;
  unit?: string;
  row?: number; // of a key
  column?: number;
}

export interface PartInfo {
  name: string;
  type: string;
  pins: Record<string, number>;
  controls: Control[];
  port: number | null; // the serial port that it is on
}

export interface LoopInfo {
  id: number;
  kind: string; // "loop", "periodic", "isr"
  core: number;
  budget: number;
  period: number;
  deadline: number;
  bound: number | null;
}

export interface Hello {
  is: "hello";
  board: string;
  picture: string; // of @wokwi/elements; "": a plain board
  led: number; // the pin of LED_BUILTIN
  buses: Record<string, number>; // SDA, SCL, MOSI, MISO, SCK, RX, TX, RX1, …: its pins
  sketch: string;
  cores: number;
  seed: number;
  policy: string;
  trouble: string; // an error of the scenario, without which the board runs
  pins: PinInfo[];
  parts: PartInfo[];
  loops: LoopInfo[];
}

export type RunState = "running" | "paused" | "ended";

export interface PinState {
  pin: number;
  level: Level;
  mode: string; // "in", "out", "pwm", …
  share: number | null; // of the time since the last frame that it was high, if only for a part of it
}

export interface Span {
  core: number;
  loop: number;
  from: number;
  to: number;
  why: string; // it ended: "sleep", "block", "exhausted", "preempted", "fault"
}

/** What the kernel has counted of a loop. */
export interface Account {
  loop: number;
  response: number | null; // the longest
  misses: number;
  exhausted: number;
  iterations: number;
}

export interface Touch {
  at: number;
  text: string; // in words
  set: { part: string; name: string; to: boolean | number } | null; // a control that was moved
}

export interface Frame {
  is: "frame";
  now: number;
  state: RunState;
  speed: number;
  pace: number | null; // what the speed was
  pins: PinState[];
  parts: Record<string, Record<string, unknown>>;
  serial: { port: number; text: string; at: number }[];
  spans: Span[];
  running: { core: number; loop: number; since: number }[];
  releases: { loop: number; at: number; deadline: number }[];
  loops: Account[];
  changes: { pin: number; at: number; level: Level }[];
  touched: Touch[];
  lost: number;
}

export interface End {
  is: "end";
  status: number;
  end: string;
  report: Record<string, unknown> | null;
  text: string;
}

export interface Failure {
  is: "error";
  text: string;
}

export interface Touches {
  is: "touches";
  text: string;
}

// --- Building: the scenario as it would be saved ---

export interface KeyInfo {
  name: string; // with a dot where it is a key of a key
  kind: string; // "pin", "pins", "choice", "flag", "number", "text", "part", "value"
  about: string;
  required: boolean;
  default: string;
  choices: string[];
  use: string; // of a pin: "digital", "analog", "pwm"
  example: string;
}

export interface TypeInfo {
  name: string;
  group: string;
  about: string;
  keys: KeyInfo[];
}

export interface Catalogue {
  is: "catalogue";
  types: TypeInfo[];
}

export interface DraftPart {
  name: string;
  type: string;
  values: Record<string, string | null>; // as they are written; null: too long to be changed here
  pins: Record<string, number>;
  problems: { key: string; text: string }[];
}

export interface Scenario {
  is: "scenario";
  file: string;
  changed: boolean; // it is not what is saved
  undo: boolean;
  redo: boolean;
  parts: DraftPart[];
  problems: string[]; // that are of no part
  text: string | null; // null: too long to be changed here
}

/** A change that was not made. */
export interface Refused {
  is: "refused";
  text: string;
  part: string | null;
  key: string | null;
}

/** A part that this page has added, or given another name. */
export interface Built {
  is: "built";
  part: string;
}

export type Message = Hello | Frame | End | Failure | Touches | Catalogue | Scenario | Refused | Built;

export type Build =
  | { change: "begin" | "undo" | "redo" | "load" | "save" }
  | { change: "add"; type: string }
  | { change: "remove"; part: string }
  | { change: "text"; to: string }
  | { change: "rename"; part: string; to: string }
  | { change: "set"; part: string; key: string; to: string | null };

export type Command =
  | { do: "run" | "pause" | "step" | "end" | "save" }
  | { do: "until"; at: number }
  | { do: "speed"; times: number }
  | { do: "set"; part: string; name: string; to: boolean | number }
  | { do: "pin"; pin: number; to: 0 | 1 | null }
  | ({ do: "build" } & Build)
  | { do: "serial"; port: number; text: string }
  | { do: "again"; touched?: boolean; paused?: boolean };
