// From the text of a message to its parts, all of them checked.
import type {
  Control, DraftPart, End, Frame, Hello, KeyInfo, Level, LoopInfo, Message, PartInfo, RunState, Scenario, Touch, TypeInfo,
} from "./protocol.ts";
import {
  fields, flag, list, MessageError, number, optionalList, optionalNumber, text, whole,
  type Fields,
} from "./reading.ts";

/** The message in a line of JSON. Throws MessageError when it has another form than the protocol's. */
export function readMessage(line: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new MessageError("a message is no JSON");
  }
  const message = fields(value, "a message");
  switch (message["is"]) {
    case "hello":
      return hello(message);
    case "frame":
      return frame(message);
    case "end":
      return end(message);
    case "error":
      return { is: "error", text: text(message["text"], "text") };
    case "touches":
      return { is: "touches", text: text(message["text"], "text") };
    case "catalogue":
      return { is: "catalogue", types: list(message["types"], "types").map(typeInfo) };
    case "scenario":
      return scenario(message);
    case "refused":
      return { is: "refused", text: text(message["text"], "text"), part: optionalText(message["part"]), key: optionalText(message["key"]) };
    case "built":
      return { is: "built", part: text(message["part"], "a part's name") };
    default:
      throw new MessageError("a message of a kind that this page does not know");
  }
}

function hello(m: Fields): Hello {
  return {
    is: "hello",
    board: text(m["board"], "board"),
    picture: text(m["picture"] ?? "", "picture"),
    led: whole(m["led"] ?? 13, "led"),
    buses: Object.fromEntries(
      Object.entries(fields(m["buses"] ?? {}, "buses")).map(([line, pin]) => [line, whole(pin, `pin ${line}`)]),
    ),
    sketch: text(m["sketch"], "sketch"),
    cores: whole(m["cores"], "cores"),
    seed: number(m["seed"], "seed"),
    policy: text(m["policy"] ?? "", "policy"),
    trouble: text(m["trouble"] ?? "", "trouble"),
    pins: list(m["pins"], "pins").map((item) => {
      const pin = fields(item, "a pin");
      return {
        pin: whole(pin["pin"], "a pin's number"),
        name: text(pin["name"], "a pin's name"),
        pwm: flag(pin["pwm"]),
        analog: flag(pin["analog"]),
      };
    }),
    parts: optionalList(m["parts"], "parts").map(part),
    loops: optionalList(m["loops"], "loops").map(loop),
  };
}

function part(item: unknown): PartInfo {
  const p = fields(item, "a part");
  const pins: Record<string, number> = {};
  for (const [role, pin] of Object.entries(fields(p["pins"] ?? {}, "a part's pins"))) {
    if (Array.isArray(pin)) pin.forEach((one, i) => (pins[`${role} ${i}`] = whole(one, `pin ${role}`)));
    else pins[role] = whole(pin, `pin ${role}`);
  }
  return {
    name: text(p["name"], "a part's name"),
    type: text(p["type"], "a part's type"),
    pins,
    controls: optionalList(p["controls"], "controls").map(control),
    port: optionalNumber(p["port"], "port"),
  };
}

function control(item: unknown): Control {
  const c = fields(item, "a control");
  const made: Control = { name: text(c["name"], "a control's name"), kind: text(c["kind"], "a control's kind") };
  for (const name of ["least", "most", "row", "column"] as const) {
    const value = optionalNumber(c[name], name);
    if (value !== null) made[name] = value;
  }
  if (typeof c["unit"] === "string") made.unit = c["unit"];
  const to = c["to"];
  if (typeof to === "boolean" || (typeof to === "number" && Number.isFinite(to))) made.to = to;
  return made;
}

function loop(item: unknown): LoopInfo {
  const l = fields(item, "a loop");
  const period = whole(l["period_ns"], "period_ns");
  return {
    id: whole(l["id"], "a loop's id"),
    kind: text(l["kind"] ?? "loop", "a loop's kind"),
    core: whole(l["core"] ?? 0, "a loop's core"),
    budget: whole(l["budget_ns"], "budget_ns"),
    period,
    deadline: optionalNumber(l["deadline_ns"], "deadline_ns") ?? period,
    bound: optionalNumber(l["response_bound_ns"], "response_bound_ns"),
  };
}

const STATES: readonly string[] = ["running", "paused", "ended"];

function frame(m: Fields): Frame {
  const state = text(m["state"], "state");
  if (!STATES.includes(state)) throw new MessageError(`a state that this page does not know: ${state}`);
  const parts: Frame["parts"] = {};
  for (const [name, facts] of Object.entries(fields(m["parts"] ?? {}, "parts"))) {
    parts[name] = fields(facts, `facts of ${name}`);
  }
  return {
    is: "frame",
    now: whole(m["now"], "now"),
    state: state as RunState,
    speed: optionalNumber(m["speed"], "speed") ?? 1,
    pace: optionalNumber(m["pace"], "pace"),
    pins: optionalList(m["pins"], "pins").map((item) => {
      const pin = list(item, "a pin");
      return {
        pin: whole(pin[0], "a pin's number"),
        level: level(pin[1]),
        mode: text(pin[2], "a pin's mode"),
        share: optionalNumber(pin[3], "a pin's share"),
      };
    }),
    parts,
    serial: optionalList(m["serial"], "serial").map((item) => {
      const s = fields(item, "serial");
      return { port: whole(s["port"] ?? 0, "port"), text: text(s["text"], "text"), at: whole(s["at"], "at") };
    }),
    spans: optionalList(m["spans"], "spans").map((item) => {
      const s = list(item, "a span");
      return {
        core: whole(s[0], "core"), loop: whole(s[1], "loop"),
        from: whole(s[2], "from"), to: whole(s[3], "to"), why: text(s[4], "why"),
      };
    }),
    running: optionalList(m["running"], "running").map((item) => {
      const r = list(item, "who runs");
      return { core: whole(r[0], "core"), loop: whole(r[1], "loop"), since: whole(r[2], "since") };
    }),
    releases: optionalList(m["releases"], "releases").map((item) => {
      const r = list(item, "a release");
      return { loop: whole(r[0], "loop"), at: whole(r[1], "at"), deadline: whole(r[2], "deadline") };
    }),
    loops: optionalList(m["loops"], "loops").map((item) => {
      const l = fields(item, "a loop's account");
      return {
        loop: whole(l["id"], "a loop's id"),
        response: optionalNumber(l["max_response_ns"], "max_response_ns"),
        misses: optionalNumber(l["deadline_misses"], "deadline_misses") ?? 0,
        exhausted: optionalNumber(l["exhausted"], "exhausted") ?? 0,
        iterations: optionalNumber(l["iterations"], "iterations") ?? 0,
      };
    }),
    changes: optionalList(m["changes"], "changes").map((item) => {
      const c = list(item, "a change");
      return { pin: whole(c[0], "pin"), at: whole(c[1], "at"), level: level(c[2]) };
    }),
    touched: optionalList(m["touched"], "touched").map(touch),
    lost: optionalNumber(m["lost"], "lost") ?? 0,
  };
}

function level(value: unknown): Level {
  if (value === 0 || value === 1 || value === "z" || value === "x") return value;
  throw new MessageError("a level that is none");
}

/** What was touched, in words: `button pressed`, `sonar distance_cm = 30`. */
function touch(item: unknown): Touch {
  const t = fields(item, "a touch");
  const to = t["to"];
  const moved = t["do"] === "set" && (typeof to === "boolean" || typeof to === "number");
  return {
    at: whole(t["at"], "at"),
    text: words(t).join(" "),
    set: moved ? { part: text(t["part"], "part"), name: text(t["name"], "name"), to } : null,
  };
}

function words(t: Fields): string[] {
  const to = t["to"];
  if (t["do"] === "serial") return [`Serial ← ${"text" in t ? JSON.stringify(t["text"]) : String(t["hex"])}`];
  if (t["do"] === "pin") return [`pin ${String(t["pin"])}`, to === null ? "let go" : to === 1 ? "high" : "low"];
  if (t["do"] !== "set") return [String(t["do"])];
  const value = to === true ? [] : to === false ? ["off"] : ["=", String(to)];
  return [String(t["part"]), String(t["name"]), ...value];
}

function end(m: Fields): End {
  return {
    is: "end",
    status: whole(m["status"], "status"),
    end: text(m["end"] ?? "", "end"),
    report: m["report"] === null || m["report"] === undefined ? null : fields(m["report"], "report"),
    text: text(m["text"] ?? "", "text"),
  };
}

function typeInfo(item: unknown): TypeInfo {
  const t = fields(item, "a type");
  return {
    name: text(t["name"], "a type's name"),
    group: text(t["group"], "a type's group"),
    about: text(t["about"], "what a type is"),
    keys: list(t["keys"], "keys").map(keyInfo),
  };
}

function keyInfo(item: unknown): KeyInfo {
  const k = fields(item, "a key");
  return {
    name: text(k["name"], "a key's name"),
    kind: text(k["kind"], "a key's kind"),
    about: text(k["about"] ?? "", "what a key is"),
    required: flag(k["required"]),
    default: text(k["default"] ?? "", "a key's default"),
    choices: optionalList(k["choices"], "choices").map((one) => text(one, "a choice")),
    use: text(k["use"] ?? "", "a pin's use"),
    example: text(k["example"] ?? "", "an example"),
  };
}

function scenario(m: Fields): Scenario {
  return {
    is: "scenario",
    file: text(m["file"], "file"),
    changed: flag(m["changed"]),
    undo: flag(m["undo"]),
    redo: flag(m["redo"]),
    parts: list(m["parts"], "parts").map(draftPart),
    problems: optionalList(m["problems"], "problems").map((one) => text(one, "a problem")),
    text: optionalText(m["text"]),
  };
}

function draftPart(item: unknown): DraftPart {
  const p = fields(item, "a part");
  const values = Object.entries(fields(p["values"], "a part's values"));
  const pins = Object.entries(fields(p["pins"], "a part's pins"));
  return {
    name: text(p["name"], "a part's name"),
    type: text(p["type"], "a part's type"),
    values: Object.fromEntries(values.map(([key, value]) => [key, value === null ? null : text(value, key)])),
    pins: Object.fromEntries(pins.map(([key, pin]) => [key, whole(pin, `pin ${key}`)])),
    problems: optionalList(p["problems"], "problems").map((one) => {
      const problem = fields(one, "a problem");
      return { key: text(problem["key"], "key"), text: text(problem["text"], "text") };
    }),
  };
}

function optionalText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
