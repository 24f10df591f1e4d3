import { visibleLine } from "../output/text.ts";

/** A step as streams of logs send it. */
export interface StreamedStep {
  index: number;
  key: string;
  label: string;
  status: "pending" | "running" | "completed" | "failed" | "skipped" | "unreported";
  duration_ms: number | null;
  detail: string | null;
  first_line: number | null;
  lines: number;
}

/** A piece of a log as streams and pages have it. */
export interface Piece {
  offset: number;
  first_line: number;
  step: string | null;
  audience: "system" | "client";
  text: string;
}

/** Shows the progress of one piece of work: steps one after the other, each with its lines. */
export interface ProgressView {
  waiting(message: string): void;
  begin(step: StreamedStep): void;
  line(line: string): void;
  end(step: StreamedStep): void;
  /** A sentence that belongs to no step. */
  note(sentence: string): void;
  close(): void;
}

/** How many lines of a failed step are shown again at the end. */
export const tailLines = 40;
/** A line without an end is printed in parts from here on. */
const longestLine = 256 * 1024;

/**
 * Puts what a stream sends in order. The state of a step arrives before its last lines: its end is shown when all of its lines were.
 * Nothing is shown twice, however often the stream begins again.
 */
export class Progress {
  private readonly view: ProgressView;
  private readonly isShown: (piece: Piece) => boolean;
  private readonly steps = new Map<string, StreamedStep>();
  private readonly begun = new Set<string>();
  private readonly ended = new Set<string>();
  private readonly lastLines = new Map<string, number>();
  private partial = "";
  private lastOffset = -1;
  private tail: string[] = [];
  private readonly tails = new Map<string, readonly string[]>();

  constructor(view: ProgressView, isShown: (piece: Piece) => boolean = () => true) {
    this.view = view;
    this.isShown = isShown;
  }

  /** The id of the last event of the log that was shown, from which a stream continues. */
  get lastEventId(): string | undefined {
    return this.lastOffset < 0 ? undefined : String(this.lastOffset);
  }

  step(step: StreamedStep): void {
    this.steps.set(step.key, step);
    this.advance();
  }

  log(piece: Piece): void {
    const { offset, first_line, step, text } = piece;
    if (offset <= this.lastOffset) return;
    this.lastOffset = offset;
    if (!this.isShown(piece)) return;
    if (step !== null) this.advance(step);
    const lines = (this.partial + text).split("\n");
    this.partial = lines.pop() ?? "";
    if (this.partial.length > longestLine) lines.push(this.flushed());
    for (const line of lines) this.print(line);
    const newlines = text.split("\n").length - 1;
    if (step !== null) this.lastLines.set(step, first_line + newlines - (text.endsWith("\n") ? 1 : 0));
    this.advance();
  }

  /** Everything was received: what is open ends. Returns the last lines of the step that failed. */
  close(): readonly string[] {
    if (this.partial !== "") this.print(this.flushed());
    this.advance(undefined, true);
    this.view.close();
    const failed = [...this.steps.values()].find(({ status }) => status === "failed");
    return (failed && this.tails.get(failed.key)) ?? [];
  }

  private flushed(): string {
    const { partial } = this;
    this.partial = "";
    return partial;
  }

  private print(line: string): void {
    const shown = visibleLine(line);
    this.tail.push(shown);
    if (this.tail.length > tailLines) this.tail.shift();
    this.view.line(shown);
  }

  /** Begins and ends steps in their order, up to one that is not over. Lines of a step end all steps before it. */
  private advance(reached?: string, isOver = false): void {
    const reachedIndex = reached === undefined ? -1 : (this.steps.get(reached)?.index ?? -1);
    for (const step of [...this.steps.values()].sort((one, other) => one.index - other.index)) {
      if (this.ended.has(step.key) || step.status === "pending" || step.status === "skipped") continue;
      if (!this.begun.has(step.key)) this.begin(step);
      const isComplete = step.status !== "running" && this.hasAllLines(step);
      if (!isComplete && !isOver && step.index >= reachedIndex) return;
      this.end(step);
    }
  }

  private begin(step: StreamedStep): void {
    this.begun.add(step.key);
    this.tail = [];
    this.view.begin(step);
  }

  private end(step: StreamedStep): void {
    if (this.partial !== "") this.print(this.flushed());
    this.ended.add(step.key);
    this.tails.set(step.key, this.tail);
    this.tail = [];
    this.view.end(step);
  }

  private hasAllLines({ key, first_line: first, lines }: StreamedStep): boolean {
    return first === null || lines === 0 || (this.lastLines.get(key) ?? 0) >= first + lines - 1;
  }
}
