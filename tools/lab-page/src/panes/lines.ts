// Puts pieces of serial text together to lines.

export interface Line {
  id: number; // counts up
  text: string;
  at: number; // of its first character
  whole: boolean; // its end has come
}

const LONGEST = 2000; // characters: longer lines are broken

export class Lines {
  private id = 0;
  private text = "";
  private at = 0;
  private returned = false; // the last character was a carriage return

  /** The lines that a piece ends or goes on with, in order. */
  take(piece: string, at: number): Line[] {
    const found: Line[] = [];
    for (const character of piece) {
      if (character === "\n" || this.text.length >= LONGEST) {
        found.push(this.end());
        if (character === "\n") continue;
      }
      if (character === "\r") {
        this.returned = true;
        continue;
      }
      if (this.returned && this.text !== "") found.push(this.end());
      this.returned = false;
      if (this.text === "") this.at = at;
      this.text += character;
    }
    if (this.text !== "") found.push({ id: this.id, text: this.text, at: this.at, whole: false });
    return found;
  }

  private end(): Line {
    const line = { id: this.id++, text: this.text, at: this.at, whole: true };
    this.text = "";
    this.returned = false;
    return line;
  }
}
