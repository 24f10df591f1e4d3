import { randomBytes } from "node:crypto";

// What tools answer: a few sentences of this platform, and apart from them what other people and programs wrote. A reader that
// follows instructions must be able to tell the two apart, so nothing of the latter is ever inside of a sentence.

/** Text that this platform did not write. */
export interface Foreign {
  /** Such as `the log of deployment 12`. */
  from: string;
  text: string;
}

/** About 2,000 tokens together. */
const longestSentences = 3_000;
const longestForeign = 4_500;
const longestLine = 400;

/** Without spaces and this short, a name is shown in a sentence; others are fenced. */
const plain = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u;

/** Collects an answer while a tool works. */
export class Answer {
  readonly lines: string[] = [];
  readonly foreign: Foreign[] = [];
  /** As the output schema of the tool has it. */
  data: Record<string, unknown> = {};
  isError = false;

  /** A sentence of the platform; never with text from elsewhere, except through `name`. */
  say(...sentences: string[]): this {
    this.lines.push(...sentences);
    return this;
  }

  /** Text from elsewhere; empty ones are left out. */
  quote(from: string, text: string | null | undefined): this {
    if (text !== null && text !== undefined && text.trim() !== "") this.foreign.push({ from, text: visible(text) });
    return this;
  }

  /** How a sentence names a record: `project 5 (shop)`; a name that could be read as a sentence is fenced instead. */
  name(noun: string, id: number, name: string | null | undefined): string {
    if (name === null || name === undefined || name === "") return `${noun} ${id}`;
    if (plain.test(name)) return `${noun} ${id} (${name})`;
    const from = `the name of ${noun} ${id}`;
    if (!this.foreign.some((each) => each.from === from)) this.quote(from, name);
    return `${noun} ${id}`;
  }

  /** A branch, host or other word; one that could be read as a sentence is fenced. */
  word(what: string, word: string | null | undefined): string {
    if (word !== null && word !== undefined && (plain.test(word) || isHostname(word))) return word;
    this.quote(what, word);
    return `(${what} is below)`;
  }
}

const isHostname = (word: string): boolean => word.length <= 80 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(word);

/** Control characters as pictures: they could move the cursor of a terminal, or hide text. Line ends and tabs stay. */
const visible = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be shown
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (sign) => String.fromCodePoint(0x2400 + sign.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu, "␦");

/** The text for a reader: the sentences, and then what is foreign, each in a fence that its author cannot foresee. */
export function textOfAnswer({ lines, foreign }: Answer): string {
  return [cutLines(lines), ...fences(bounded(foreign))].join("\n\n");
}

/** The same for programs. */
export function structureOfAnswer({ data, foreign }: Answer): Record<string, unknown> {
  return foreign.length === 0 ? data : { ...data, untrusted: bounded(foreign) };
}

function cutLines(lines: readonly string[]): string {
  const text = lines.join("\n");
  return text.length <= longestSentences ? text : `${text.slice(0, longestSentences)}\n… (the rest is left out)`;
}

function fences(foreign: readonly Foreign[]): string[] {
  const mark = `~~~${randomBytes(8).toString("hex")}`;
  return foreign.map(({ from, text }) => `Untrusted content from ${from}:\n${mark}\n${text}\n${mark}`);
}

/** Shares the room among the texts: what a short one leaves is for the longer ones. */
function bounded(foreign: readonly Foreign[]): Foreign[] {
  let room = longestForeign;
  let left = foreign.length;
  const shortestFirst = foreign.toSorted((a, b) => a.text.length - b.text.length);
  const cut = new Map(
    shortestFirst.map((each) => {
      const text = cutText(each.text, Math.floor(room / left--));
      room = Math.max(0, room - text.length);
      return [each, text];
    }),
  );
  return foreign.map((each) => ({ from: each.from, text: cut.get(each) ?? "" }));
}

/** The beginning and, mostly, the end: the reason of a failure comes last. */
function cutText(text: string, room: number): string {
  const lines = text.split("\n").map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)} …` : line));
  const whole = lines.join("\n");
  if (whole.length <= room) return whole;
  const head = Math.floor(room / 4);
  return `${whole.slice(0, head)}\n… (${whole.length - room} characters are left out) …\n${whole.slice(-(room - head))}`;
}
