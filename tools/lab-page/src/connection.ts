// The line to the board: commands out, messages in, and what to say when it breaks.
import { readMessage } from "./messages.ts";
import type { Command, Message } from "./protocol.ts";
import { MessageError } from "./reading.ts";

export interface Listener {
  message(message: Message): void;
  opened(): void;
  closed(): void;
  unreadable(why: string): void;
}

export class Connection {
  private readonly socket: WebSocket;
  received = 0; // messages

  constructor(listener: Listener) {
    const address = new URL("live" + location.search, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => listener.opened());
    this.socket.addEventListener("close", () => listener.closed());
    this.socket.addEventListener("message", (event) => {
      this.received++;
      try {
        listener.message(readMessage(String(event.data)));
      } catch (problem) {
        if (!(problem instanceof MessageError)) throw problem;
        listener.unreadable(problem.message);
      }
    });
  }

  send(command: Command): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}
