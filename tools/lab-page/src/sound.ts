// What the buzzers sound: a square wave each, once the reader has asked for it. A browser lets no page sound before.

const VOLUME = 0.04;
const FADE = 0.008; // seconds: a tone that begins or ends at once clicks

interface Tone {
  oscillator: OscillatorNode;
  gain: GainNode;
}

export class Sound {
  private context: AudioContext | null = null;
  private readonly tones = new Map<string, Tone>();
  private readonly wanted = new Map<string, number>(); // hertz

  constructor(private readonly button: HTMLButtonElement) {
    button.addEventListener("click", () => this.turn(!this.on));
  }

  private get on(): boolean {
    return this.context !== null;
  }

  /** A run begins; with or without something that can sound. */
  begin(hasBuzzer: boolean): void {
    this.silence();
    this.button.hidden = !hasBuzzer;
  }

  /** What a part sounds now; null: nothing. */
  sound(part: string, hertz: number | null): void {
    if (hertz === null || hertz < 10 || hertz > 20_000) this.wanted.delete(part);
    else this.wanted.set(part, hertz);
    this.play(part);
  }

  silence(): void {
    for (const part of [...this.wanted.keys()]) this.sound(part, null);
  }

  private turn(on: boolean): void {
    if (on) this.context = new AudioContext();
    else {
      void this.context?.close();
      this.context = null;
      this.tones.clear();
    }
    this.button.setAttribute("aria-pressed", String(on));
    for (const part of this.wanted.keys()) this.play(part);
  }

  private play(part: string): void {
    const { context } = this;
    this.button.dataset["sounds"] = String(context !== null && this.wanted.size > 0);
    if (!context) return;
    const hertz = this.wanted.get(part);
    let tone = this.tones.get(part);
    if (!tone && hertz === undefined) return;
    if (!tone) {
      const oscillator = new OscillatorNode(context, { type: "square", frequency: hertz! });
      const gain = new GainNode(context, { gain: 0 });
      oscillator.connect(gain).connect(context.destination);
      oscillator.start();
      this.tones.set(part, (tone = { oscillator, gain }));
    }
    if (hertz !== undefined) tone.oscillator.frequency.setValueAtTime(hertz, context.currentTime);
    tone.gain.gain.setTargetAtTime(hertz === undefined ? 0 : VOLUME, context.currentTime, FADE);
  }
}
