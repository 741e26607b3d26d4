// Messages are read as the protocol has them, and everything else is refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMessage } from "../../../tools/lab-page/src/messages.ts";
import { MessageError } from "../../../tools/lab-page/src/reading.ts";
import { Random } from "./random.ts";

const HELLO = {
  is: "hello", board: "sim", sketch: "rover", cores: 2, seed: 1, policy: "vcpu", clock: "virtual", duration: null,
  pins: [{ pin: 13, name: "D13", pwm: true, analog: false }],
  parts: [
    {
      name: "stop", type: "button", pins: { pin: 2 },
      controls: [{ name: "pressed", kind: "bool", to: false }],
    },
    {
      name: "sonar", type: "hcsr04", pins: { trigger: 11, echo: 2 },
      controls: [{ name: "distance_cm", kind: "number", least: 2, most: 400, unit: "cm" }],
    },
  ],
  loops: [
    {
      id: 1, kind: "loop", core: 0, budget_ns: 70_000_000, period_ns: 100_000_000, deadline_ns: 100_000_000,
      response_bound_ns: null,
    },
  ],
};

const FRAME = {
  is: "frame", now: 123_000_000, state: "running", speed: 1, pace: 0.98,
  pins: [[13, 1, "out"], [3, 1, "pwm", 0.4706], [7, "z", "in"]],
  parts: { servo: { angle_deg: 90 } },
  serial: [{ port: 0, text: "clear: ahead\r\n", at: 122_900_000 }],
  spans: [[0, 1, 100_012_000, 100_042_000, "sleep"]],
  running: [[0, 2, 122_990_000]],
  releases: [[1, 100_000_000, 200_000_000]],
  changes: [[13, 122_000_000, 1]],
  touched: [
    { at: 5, do: "set", part: "stop", name: "pressed", to: true },
    { at: 6, do: "set", part: "stop", name: "pressed", to: false },
    { at: 7, do: "pin", pin: 4, to: null },
    { at: 8, do: "serial", port: 0, text: "on\n" },
  ],
  loops: [{ id: 1, max_response_ns: 30_014_000, deadline_misses: 0 }],
  lost: 0,
};

test("a hello is read", () => {
  const hello = readMessage(JSON.stringify(HELLO));
  assert.ok(hello.is === "hello");
  assert.deepEqual(hello.parts[1]!.controls[0], { name: "distance_cm", kind: "number", least: 2, most: 400, unit: "cm" });
  assert.equal(hello.loops[0]!.bound, null);
  assert.equal(hello.parts[0]!.pins["pin"], 2);
});

test("a frame is read, with touches in words", () => {
  const frame = readMessage(JSON.stringify(FRAME));
  assert.ok(frame.is === "frame");
  assert.deepEqual(frame.pins[1], { pin: 3, level: 1, mode: "pwm", share: 0.4706 });
  assert.deepEqual(frame.touched.map((touch) => touch.text),
    ["stop pressed", "stop pressed off", "pin 4 let go", 'Serial ← "on\\n"']);
  assert.deepEqual(frame.touched[1]!.set, { part: "stop", name: "pressed", to: false });
  assert.equal(frame.touched[2]!.set, null);
  assert.deepEqual(frame.loops[0], { loop: 1, response: 30_014_000, misses: 0, exhausted: 0, iterations: 0 });
});

test("bytes that are no text are told in digits", () => {
  const touched = [{ at: 5, do: "serial", port: 0, hex: "00ff" }];
  const frame = readMessage(JSON.stringify({ is: "frame", now: 5, state: "paused", touched }));
  assert.ok(frame.is === "frame");
  assert.equal(frame.touched[0]!.text, "Serial ← 00ff");
});

test("a frame with nothing new is read", () => {
  const frame = readMessage('{"is": "frame", "now": 5, "state": "paused"}');
  assert.ok(frame.is === "frame");
  assert.deepEqual([frame.pins, frame.spans, frame.serial, frame.lost], [[], [], [], 0]);
});

test("an end without a report says why", () => {
  const end = readMessage('{"is": "end", "status": 70, "end": "fault", "report": null, "text": "it fell"}');
  assert.ok(end.is === "end");
  assert.deepEqual([end.status, end.report, end.text], [70, null, "it fell"]);
});

for (const [name, text] of Object.entries({
  nothing: "",
  "no JSON": "{",
  "a list": "[]",
  "no kind": "{}",
  "an unknown kind": '{"is": "greeting"}',
  "an unknown state": '{"is": "frame", "now": 1, "state": "flying"}',
  "a time that is no integer": '{"is": "frame", "now": 1.5, "state": "paused"}',
  "a time that a double cannot hold": '{"is": "frame", "now": 1e300, "state": "paused"}',
  "a level that is none": '{"is": "frame", "now": 1, "state": "paused", "pins": [[1, 2, "out"]]}',
  "a span too short": '{"is": "frame", "now": 1, "state": "paused", "spans": [[0, 1, 2]]}',
})) {
  test(`refused: ${name}`, () => assert.throws(() => readMessage(text), MessageError));
}

/** Something of a message replaced by something else. */
function damaged(value: unknown, random: Random): unknown {
  const wrong = [null, true, -1, 1e308, "", "x", [], {}, [[]], { at: {} }];
  if (random.below(6) === 0 || typeof value !== "object" || value === null) return random.pick(wrong);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  if (keys.length === 0) return random.pick(wrong);
  const key = random.pick(keys);
  const inner = copy as Record<string, unknown>;
  inner[key] = damaged(inner[key], random);
  return copy;
}

test("damaged messages are read or refused, and nothing else happens", () => {
  const random = new Random(3);
  let refused = 0;
  for (let round = 0; round < 4000; round++) {
    const text = JSON.stringify(damaged(random.pick([HELLO, FRAME]), random));
    try {
      readMessage(text);
    } catch (problem) {
      assert.ok(problem instanceof MessageError, `${String(problem)} for ${text}`);
      refused++;
    }
  }
  assert.ok(refused > 1000 && refused < 4000, String(refused));
});

test("messages that are cut off are refused", () => {
  const text = JSON.stringify(FRAME);
  for (let length = 0; length < text.length; length++) {
    assert.throws(() => readMessage(text.slice(0, length)), MessageError);
  }
});
