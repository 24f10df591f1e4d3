import Table from "cli-table3";
import pc from "picocolors";
import { isDiskFull } from "../lib/disk.ts";
import { AppError, messageOf } from "../lib/errors.ts";

/**
 * How a command talks: to a person on standard output, or, with --json, one JSON object as the last line of standard
 * output and everything else on standard error.
 */
export interface Output {
  /** Prints what is being done; the returned function prints that it was, and how long it took. */
  progress(what: string): () => void;
  /** A sentence on what happens now. */
  note(line: string): void;
  /** The command's result. `forPeople` is printed instead unless --json was given. */
  result(data: object, forPeople: string): void;
}

export function openOutput(options: { json?: boolean | undefined }): Output {
  const json = options.json === true;
  const say = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  return {
    progress: (what) => {
      const startedAt = performance.now();
      return () => {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        say(`${pc.green("✓")} ${what} ${pc.dim(`${seconds} s`)}`);
      };
    },
    note: say,
    result: (data, forPeople) => void process.stdout.write(`${json ? JSON.stringify(data) : forPeople}\n`),
  };
}

/** Names and values below each other. */
export function table(rows: object): string {
  const lines = new Table(plain);
  for (const [name, value] of Object.entries<unknown>({ ...rows })) lines.push([pc.dim(name), shown(value)]);
  return lines.toString();
}

/** A line for each record below a line of headings. */
export function list(headings: readonly string[], records: readonly (readonly unknown[])[]): string {
  const lines = new Table({ ...plain, head: headings.map((heading) => pc.dim(heading)) });
  for (const record of records) lines.push(record.map(shown));
  return lines.toString();
}

// Names are other people's: none of them moves the cursor, or writes a line of its own.
const shown = (value: unknown): string => String(value ?? "").replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");

const noBorders = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
    .map((part) => [part, ""]),
);

/** Prints why the command failed: a sentence for what the reader can do something about, everything for a bug. */
export function reportFailure(error: unknown, options: { json: boolean }): void {
  process.stderr.write(`longshore: ${explain(error)}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify({ error: messageOf(error) })}\n`);
}

function explain(error: unknown): string {
  const sentence = sentenceOf(error);
  if (!isDiskFull(error) || sentence.includes("is full")) return sentence;
  return `${messageOf(error).replace(/\.?$/, ".")} The disk of the data directory, or of the database, is full: make room on it, and start again.`;
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.fields ? Object.values(error.fields).join("\n") : error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const plain = { chars: noBorders, style: { "padding-left": 0, "padding-right": 2, head: [] } };
