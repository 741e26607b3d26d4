// The scenario as text, and what is wrong with it: each problem leads to its line.
import { byId, make } from "../dom.ts";
import type { Scenario } from "../protocol.ts";

const PAUSE = 400; // ms without a key, before what was typed is checked

export class Source {
  private readonly place = byId<HTMLDetailsElement>("build-source");
  private readonly text = byId<HTMLTextAreaElement>("build-text");
  private readonly trouble = byId("build-problems");
  private waiting: number | undefined;
  private told = ""; // what is shown as wrong

  constructor(private readonly change: (to: string) => void) {
    this.text.addEventListener("input", () => {
      window.clearTimeout(this.waiting);
      this.waiting = window.setTimeout(() => this.send(), PAUSE);
    });
    this.text.addEventListener("change", () => this.send());
  }

  /** What was typed and is not checked yet is checked now. */
  send(): void {
    if (this.waiting === undefined) return;
    window.clearTimeout(this.waiting);
    this.waiting = undefined;
    this.change(this.text.value);
  }

  show(scenario: Scenario, refusal: string): void {
    if (this.waiting === undefined && scenario.text !== null && this.text.value !== scenario.text) {
      const { selectionStart, selectionEnd } = this.text;
      this.text.value = scenario.text;
      this.text.setSelectionRange(selectionStart, selectionEnd);
    }
    this.text.disabled = scenario.text === null;
    this.text.placeholder = scenario.text === null ? "This scenario is too long to be changed here: use an editor, then Load file." : "";
    this.text.rows = Math.max(6, Math.min(24, this.text.value.split("\n").length + 1));
    const problems = [refusal, ...scenario.problems].filter((one) => one !== "");
    this.tell(problems);
    // A text that cannot be read has no parts to be changed: it is mended here.
    if (scenario.problems.length > 0 && scenario.parts.length === 0) this.place.open = true;
  }

  hide(): void {
    this.trouble.hidden = true;
    this.told = "";
  }

  private tell(problems: string[]): void {
    this.trouble.hidden = problems.length === 0;
    if (this.told === problems.join("\n")) return; // what is read aloud is read once
    this.told = problems.join("\n");
    this.trouble.replaceChildren(...problems.map((problem) => {
      const line = /^line (\d+): /.exec(problem);
      if (!line) return make("div", {}, problem);
      const button = make("button", { type: "button", title: "show this line" }, problem);
      button.addEventListener("click", () => this.go(Number(line[1])));
      return make("div", {}, button);
    }));
  }

  private go(line: number): void {
    this.place.open = true;
    const lines = this.text.value.split("\n");
    const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.text.focus();
    this.text.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
    this.text.scrollTop = (line - 3) * parseFloat(getComputedStyle(this.text).lineHeight);
    this.text.scrollIntoView({ block: "nearest" });
  }
}
