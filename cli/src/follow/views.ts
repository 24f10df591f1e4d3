import { randomUUID } from "node:crypto";
import type { Terminal } from "../output/terminal.ts";
import { cut, visible } from "../output/text.ts";
import { duration } from "../output/times.ts";
import type { ProgressView, StreamedStep } from "./progress.ts";

/** The view that suits where standard error goes. */
export function viewFor(terminal: Terminal, env: NodeJS.ProcessEnv = process.env): ProgressView {
  if (env.GITHUB_ACTIONS === "true") return new ActionsView(terminal);
  return terminal.showsProgress ? new LiveView(terminal) : new PlainView(terminal);
}

const timeOf = ({ duration_ms: ms }: StreamedStep): string => (ms === null ? "" : ` ${duration(ms)}`);

function endLine(terminal: Terminal, step: StreamedStep): string {
  if (step.status === "failed") return `${terminal.style("red", "✗")} ${visible(step.label)}${timeOf(step)}`;
  return `${terminal.style("green", "✓")} ${visible(step.label)}${terminal.style("dim", timeOf(step))}`;
}

/** Lines for a file or another program: a header for each step. */
export class PlainView implements ProgressView {
  private readonly terminal: Terminal;
  private waited = "";

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  waiting(message: string): void {
    if (message !== this.waited) this.terminal.note(visible(message));
    this.waited = message;
  }

  begin({ label }: StreamedStep): void {
    this.terminal.note(`==> ${visible(label)}`);
  }

  line(line: string): void {
    this.terminal.note(line);
  }

  end(step: StreamedStep): void {
    this.terminal.note(endLine(this.terminal, step));
  }

  note(sentence: string): void {
    this.terminal.note(visible(sentence));
  }

  close(): void {}
}

/** Lines for a job of GitHub Actions: a group for each step. Lines of a log cannot be commands to the runner. */
export class ActionsView extends PlainView {
  private readonly output: Terminal;
  private readonly mark = randomUUID();

  constructor(terminal: Terminal) {
    super(terminal);
    this.output = terminal;
  }

  override begin({ label }: StreamedStep): void {
    this.output.note(`::group::${commandText(label)}`);
    this.output.note(`::stop-commands::${this.mark}`);
  }

  override end(step: StreamedStep): void {
    this.output.note(`::${this.mark}::`);
    this.output.note("::endgroup::");
    super.end(step);
  }
}

/** Text in a command to the runner of GitHub Actions. */
export const commandText = (text: string): string =>
  visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const shownLines = 5;
const frameMs = 100;

/** For a person: the steps that ended, and below them the running one with its last lines, which are drawn again and again. */
export class LiveView implements ProgressView {
  private readonly terminal: Terminal;
  private running: { label: string; since: number } | undefined;
  private lines: string[] = [];
  private drawn = 0;
  private frame = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
    this.timer = setInterval(() => this.draw(), frameMs);
  }

  waiting(message: string): void {
    this.running ??= { label: "", since: performance.now() };
    this.running.label = message;
  }

  begin({ label }: StreamedStep): void {
    this.running = { label, since: performance.now() };
    this.lines = [];
  }

  line(line: string): void {
    this.lines.push(line);
    if (this.lines.length > shownLines) this.lines.shift();
  }

  end(step: StreamedStep): void {
    this.running = undefined;
    this.lines = [];
    this.print(endLine(this.terminal, step));
  }

  note(sentence: string): void {
    this.print(visible(sentence));
  }

  close(): void {
    clearInterval(this.timer);
    this.erase();
  }

  private print(line: string): void {
    this.erase();
    this.terminal.note(line);
  }

  private erase(): void {
    if (this.drawn > 0) this.terminal.raw(`\u001b[${this.drawn}A\u001b[J`);
    this.drawn = 0;
  }

  private draw(): void {
    if (!this.running) return;
    // A line that wraps would make the region higher than it is counted.
    const columns = this.terminal.progressColumns - 1;
    const spinner = frames[this.frame++ % frames.length] ?? "";
    const passed = ` ${duration(performance.now() - this.running.since)}`;
    const label = cut(visible(this.running.label), columns - 2 - passed.length);
    const shown = [
      `${this.terminal.style("cyan", spinner)} ${label}${this.terminal.style("dim", passed)}`,
      ...this.lines.map((line) => this.terminal.style("dim", `  ${cut(line, columns - 2)}`)),
    ];
    this.erase();
    this.terminal.raw(`${shown.join("\n")}\n`);
    this.drawn = shown.length;
  }
}

/** One of several at once: only its steps, each after its name. */
export class NamedView implements ProgressView {
  private readonly terminal: Terminal;
  private readonly name: string;
  private waited = "";

  constructor(terminal: Terminal, name: string) {
    this.terminal = terminal;
    this.name = terminal.style("dim", `[${visible(name)}]`);
  }

  waiting(message: string): void {
    if (message !== this.waited) this.note(message);
    this.waited = message;
  }

  begin(): void {}

  line(): void {}

  end(step: StreamedStep): void {
    this.terminal.note(`${this.name} ${endLine(this.terminal, step)}`);
  }

  note(sentence: string): void {
    this.terminal.note(`${this.name} ${visible(sentence)}`);
  }

  close(): void {}
}
