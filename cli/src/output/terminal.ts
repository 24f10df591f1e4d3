import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { styleText } from "node:util";
import { exitStatus, Failure, usage } from "../failure.ts";
import { visible } from "./text.ts";

export type Style = Parameters<typeof styleText>[0];

const narrowest = 20;

/** The three streams of the program: results go to standard output, everything else to standard error. */
export class Terminal {
  /** Whether the reader of standard output is gone, as in `longshore projects | head -1`. */
  isOutputClosed = false;
  private readonly onClosed = new AbortController();

  constructor() {
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      this.isOutputClosed = true;
      this.onClosed.abort();
    });
    // Without a reader of the progress there is nothing to do for it.
    process.stderr.on("error", () => undefined);
  }

  /** Aborted when standard output was closed. */
  get outputClosed(): AbortSignal {
    return this.onClosed.signal;
  }

  /** A line of the result. */
  result(line: string): void {
    if (!this.isOutputClosed) process.stdout.write(`${line}\n`);
  }

  /** A line of progress. */
  note(line = ""): void {
    process.stderr.write(`${line}\n`);
  }

  /** Anything for standard error, such as movements of the cursor. */
  raw(content: string): void {
    process.stderr.write(content);
  }

  get showsColumns(): boolean {
    return process.stdout.isTTY === true;
  }

  get showsProgress(): boolean {
    return process.stderr.isTTY === true && process.env.TERM !== "dumb";
  }

  /** Whether a question would reach a person. */
  get canAsk(): boolean {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  get resultColumns(): number {
    return Math.max(process.stdout.columns || 80, narrowest);
  }

  get progressColumns(): number {
    return Math.max(process.stderr.columns || 80, narrowest);
  }

  /** Colour where the stream shows it, and NO_COLOR is not set. */
  style(style: Style, shown: string, stream: "result" | "note" = "note"): string {
    return styleText(style, shown, { stream: stream === "result" ? process.stdout : process.stderr });
  }

  /** The answer of a person; only if `canAsk`. Ctrl-C and the end of the input throw. */
  async ask(question: string): Promise<string> {
    const { createInterface } = await import("node:readline/promises");
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    lines.once("SIGINT", stop).once("close", stop);
    try {
      return (await lines.question(question, { signal: stopping.signal })).trim();
    } catch (cause) {
      this.note();
      throw new Failure(exitStatus.interrupted, "Nothing was done.", { cause });
    } finally {
      lines.close();
    }
  }

  /** A secret that a person types: it is not shown. */
  async askSecret(question: string): Promise<string> {
    this.raw(question);
    process.stdin.setRawMode(true);
    let typed = "";
    try {
      for await (const chunk of process.stdin.iterator({ destroyOnReturn: false })) {
        for (const character of String(chunk)) {
          if (character === "\u0003" || character === "\u0004")
            throw new Failure(exitStatus.interrupted, "Nothing was done.");
          if (character === "\r" || character === "\n") return typed;
          typed = character === "\u007f" ? typed.slice(0, -1) : typed + character;
        }
      }
      return typed;
    } finally {
      process.stdin.setRawMode(false);
      process.stdin.pause();
      this.note();
    }
  }

  /** All of standard input; at most `limit` characters. */
  async input(limit: number): Promise<string> {
    const read = await text(process.stdin as Readable);
    if (read.length > limit) throw usage(`Standard input has more than ${limit} characters.`);
    return read;
  }
}

interface Danger {
  /** What the person types to agree. */
  name: string;
  /** What happens then, as a sentence. */
  warning: string;
  /** `--yes` was given. */
  isAgreed: boolean;
}

/** Has the person type the name of what is lost or replaced. Without a terminal it throws, with what to add. */
export async function confirmByName(terminal: Terminal, { name, warning, isAgreed }: Danger): Promise<void> {
  if (isAgreed) return;
  if (!terminal.canAsk) throw usage(`${warning} Add --yes to do it without a question.`);
  terminal.note(warning);
  const typed = await terminal.ask(`Type ${visible(name)} to continue: `);
  if (typed !== name) throw usage("That is another name: nothing was done.");
}
