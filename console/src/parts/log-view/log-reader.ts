import { type Connection, follow, type StreamEvent } from "../../api/stream.ts";
import type { LogStep, Section } from "./groups.ts";
import { firstOf, LogPages, pageLines, pageOf } from "./pages.ts";
import type { LogSource, Page } from "./source.ts";

// Reads a log and follows it: the end first, then the pages that are on screen, and what is printed from then on.

/** Lines, both included. */
export interface LineRange {
  from: number;
  to: number;
}

export interface LogState {
  /** Grows with each change. */
  version: number;
  total: number;
  /** The first reply has come. */
  isOpen: boolean;
  /** The log has ended, and its end is known. */
  isComplete: boolean;
  connection: Connection;
  /** Why something could not be read. */
  error?: unknown;
  /** What the stream reports of the server. */
  problem?: string;
  /** Why nothing can be read now. */
  failure?: string | undefined;
  steps: ReadonlyMap<number, LogStep>;
  /** Where another step began to print, of what came from the end on. */
  sections: readonly Section[];
}

/** Between two changes that are shown. */
const showEveryMs = 50;
/** Between two pages that are read while someone scrolls: requests are counted. */
const readEveryMs = 120;

/** A view that is not there by then will not come. */
const aheadMs = 10_000;

/** The log that is shown next, which is followed already. */
let ahead: { key: string; reader: LogReader; stop: () => void } | undefined;

/** Reads and follows a log before its view is there. */
export function followAhead(source: LogSource): void {
  stopAhead();
  const reader = new LogReader(source);
  const end = reader.start();
  const timer = setTimeout(stopAhead, aheadMs);
  const stop = () => {
    clearTimeout(timer);
    end();
  };
  ahead = { key: source.key, reader, stop };
}

/** A view that was started follows its log by itself. */
export function stopAhead(): void {
  ahead?.stop();
  ahead = undefined;
}

/** The reader that was begun ahead, or a new one. What failed there is retried. */
export function readerOf(source: LogSource): LogReader {
  const begun = ahead?.key === source.key ? ahead.reader : undefined;
  return begun && begun.getState().error === undefined ? begun : new LogReader(source);
}

export class LogReader {
  readonly pages = new LogPages();
  private readonly source: LogSource;
  private readonly listeners = new Set<() => void>();
  private ended = new AbortController();
  private users = 0;
  private state: LogState;
  private changed: Partial<LogState> = {};
  private isChanged = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private next = 0;
  private isFollowed = false;
  private hasEnded = false;
  private wanted: readonly LineRange[] = [];
  private isReading = false;

  constructor(source: LogSource) {
    this.source = source;
    this.state = {
      version: 0,
      total: 0,
      isOpen: false,
      isComplete: false,
      connection: "connecting",
      steps: new Map(),
      sections: [],
    };
  }

  getState = (): LogState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  /** Reads and follows, until all who started it have stopped it. Returns how to stop. */
  start(): () => void {
    if (this.users++ === 0) {
      this.ended = new AbortController();
      void this.open();
    }
    return () => {
      if (--this.users > 0) return;
      this.ended.abort();
      clearTimeout(this.timer);
      this.timer = undefined;
    };
  }

  /** Reads again what failed. */
  retry(): void {
    this.change({ error: undefined });
    if (this.isFollowed || this.state.isComplete) void this.readWanted();
    else void this.open();
  }

  /** These lines are on screen: those that are not here are read. */
  show(ranges: readonly LineRange[]): void {
    this.wanted = ranges;
    for (const { from, to } of ranges) this.pages.use(from, to);
    void this.readWanted();
  }

  /** Lines for copying, whether or not they are on screen. */
  async lines(from: number, to: number): Promise<string[]> {
    const lines: string[] = [];
    for (let line = from; line <= to; line++) {
      if (this.pages.line(line) === undefined) await this.readLines(line, Math.min(to, line + pageLines - 1));
      lines.push(this.pages.line(line) ?? "");
    }
    return lines;
  }

  // Reading --------------------------------------------------------------------------------------------------------------------

  private async open(): Promise<void> {
    try {
      const page = await this.source.read?.({ tail: pageLines }, this.ended.signal);
      if (page) this.takeEnd(page);
      this.change({ isOpen: true, isComplete: page?.is_complete ?? false, error: undefined });
      if (!page?.is_complete) await this.followOn();
    } catch (error) {
      if (!this.ended.signal.aborted) this.change({ error });
    }
  }

  private takeEnd(page: Page): void {
    this.pages.setTotal(page.total_lines);
    const { last, isWhole } = this.pages.takeReply(page.data);
    if (!isWhole) this.pages.continueLine(last);
    for (const { step, first_line: line } of page.data) this.noteSection(step, line);
    this.next = page.next;
  }

  private async readWanted(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      for (let missing = this.findWanted(); missing !== undefined; missing = this.findWanted()) {
        await this.readLines(missing, firstOf(pageOf(missing)) + pageLines - 1);
        this.change({ error: undefined });
        await new Promise((resolve) => setTimeout(resolve, readEveryMs));
        if (this.ended.signal.aborted) return;
      }
    } catch (error) {
      if (!this.ended.signal.aborted) this.change({ error });
    } finally {
      this.isReading = false;
    }
  }

  private findWanted(): number | undefined {
    if (!this.source.read) return undefined;
    for (const { from, to } of this.wanted) {
      const missing = this.pages.findMissing(from, to);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }

  /** Reads lines that are not here. A reply may end before them, in the middle of a line that is long. */
  private async readLines(from: number, to: number): Promise<void> {
    const { read } = this.source;
    if (!read) return;
    let missing = this.pages.findMissing(from, to);
    while (missing !== undefined) {
      const { data } = await read(
        { from_line: missing, max_lines: to - missing + 1, limit: replyBytes },
        this.ended.signal,
      );
      const { last, isWhole } = this.pages.takeReply(data);
      // Never asked for again and again.
      if (this.pages.line(missing) === undefined)
        this.pages.takeReply([{ offset: 0, first_line: missing, text: "\n" }]);
      if (!isWhole && last > missing && !this.pages.isCut(last)) {
        this.pages.takeReply(
          (await read({ from_line: last, max_lines: 1, limit: replyBytes }, this.ended.signal)).data,
        );
      }
      missing = this.pages.findMissing(missing + 1, to);
    }
  }

  // Following ------------------------------------------------------------------------------------------------------------------

  private async followOn(): Promise<void> {
    this.isFollowed = true;
    await follow({
      address: () => this.source.stream(this.next),
      headers: { "X-Organization": String(this.source.organization) },
      signal: this.ended.signal,
      isOver: () => this.hasEnded,
      onConnection: (connection) =>
        this.change({ connection, ...(connection === "connected" && { failure: undefined }) }),
      onFailed: ({ message }) => this.change({ failure: message }),
      onRefused: (error) => this.change({ error }),
      onEvent: (event) => this.take(event),
    });
    this.isFollowed = false;
    if (this.hasEnded && !this.ended.signal.aborted) await this.confirmEnd();
  }

  private take(event: StreamEvent): void {
    const { pieces = [], stepKey, step, hasEnded, problem } = this.source.changeOf(event);
    for (const piece of pieces) {
      this.pages.takeLive(piece);
      if (stepKey !== undefined) this.noteSection(stepKey, piece.first_line);
    }
    if (hasEnded) this.hasEnded = true;
    this.change({
      ...(step && { steps: new Map([...(this.changed.steps ?? this.state.steps), [step.index, step.step]]) }),
      ...(problem !== undefined && { problem }),
    });
  }

  private noteSection(key: string | null, line: number): void {
    const sections = this.changed.sections ?? this.state.sections;
    if (sections.at(-1)?.key !== key) this.changed.sections = [...sections, { key, line }];
  }

  /** The stream has ended: the log is complete when its last page says so as well. */
  private async confirmEnd(): Promise<void> {
    const page = await this.source.read?.({ tail: 1 }, this.ended.signal);
    if (page) this.pages.setTotal(page.total_lines);
    this.change({ isComplete: page?.is_complete ?? true });
  }

  // Changes --------------------------------------------------------------------------------------------------------------------

  /** Shown at once, or together with others of the same moment. */
  private change(changed: Partial<LogState>): void {
    Object.assign(this.changed, changed);
    this.isChanged = true;
    if (this.timer === undefined && !this.ended.signal.aborted) this.publish();
  }

  private publish(): void {
    this.state = { ...this.state, ...this.changed, version: this.state.version + 1, total: this.pages.total };
    this.changed = {};
    this.isChanged = false;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isChanged) this.publish();
    }, showEveryMs);
    for (const listener of this.listeners) listener();
  }
}

/** A page of long lines has as many as fit. */
const replyBytes = 1 << 20;
