import Anser from "anser";

// One line of a log as the page shows it: what a terminal would have left of it, as spans of text with classes and links.

export interface Span {
  text: string;
  className: string;
  /** An http(s) address. */
  href?: string;
  /** It was searched for. */
  isMatch?: boolean;
}

/** The spans of a line. `style` is what lines before it have set (`styleAfter`). */
export function spansOf(raw: string, style = ""): Span[] {
  return Anser.ansiToJson(style + readable(raw), { use_classes: true, remove_empty: true }).flatMap((part) => {
    const className = classesOf(part);
    return linked(part.content).map((piece) => ({ ...piece, className }));
  });
}

/** The line without colours, as people copy it and screen readers read it. */
export const plainText = (raw: string): string => readable(raw).replaceAll(sgr, "");

/** The escape sequences in force after a line: colours last until they are reset. */
export function styleAfter(raw: string, style = ""): string {
  if (!raw.includes("\u001b[")) return style;
  const codes = `${style}${(readable(raw).match(sgr) ?? []).join("")}`;
  const reset = Math.max(codes.lastIndexOf("\u001b[m"), codes.lastIndexOf("\u001b[0m"));
  // What comes before a reset has no effect. Lines that never reset are bounded.
  return (reset === -1 ? codes : codes.slice(codes.indexOf("m", reset) + 1)).slice(-longestStyle);
}
const longestStyle = 200;

/** The style in which a line begins, by the lines before it that are at hand; `first` begins without one. */
export function styleBefore(line: number, first: number, textOf: (line: number) => string | undefined): string {
  const before: string[] = [];
  for (let at = line - 1; at >= first; at--) {
    const text = textOf(at);
    if (!text?.includes("\u001b[")) continue;
    before.push(text);
    if (reset.test(text)) break;
  }
  return before.reduceRight((style, text) => styleAfter(text, style), "");
}

/** The spans with the places of a searched text marked, in any case. */
export function marked(spans: readonly Span[], searched: string): Span[] {
  const plain = spans.map(({ text }) => text).join("");
  const [lower, wanted] = [plain.toLowerCase(), searched.toLowerCase()];
  // Some letters have more characters in lower case.
  if (wanted === "" || lower.length !== plain.length || !lower.includes(wanted)) return [...spans];
  const ends: number[] = [];
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
    ends.push(at, at + wanted.length);
  return splitAt(spans, ends);
}

/** `ends` are those of unmarked and marked text in turn. */
function splitAt(spans: readonly Span[], ends: readonly number[]): Span[] {
  const pieces: Span[] = [];
  let [at, turn] = [0, 0];
  for (const span of spans) {
    for (let rest = span.text; rest !== ""; ) {
      const length = Math.min(rest.length, (ends[turn] ?? Number.POSITIVE_INFINITY) - at);
      if (length > 0) pieces.push({ ...span, text: rest.slice(0, length), ...(turn % 2 === 1 && { isMatch: true }) });
      rest = rest.slice(length);
      at += length;
      if (at === ends[turn]) turn++;
    }
  }
  return pieces;
}

// Control characters ---------------------------------------------------------------------------------------------------------

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what this is about
const reset = /\u001b\[0?m/;
const sgr = /\u001b\[[\d;]*m/g;
/** Sequences for a terminal: `ESC [ … letter`, `ESC ] … BEL` such as titles and links, and `ESC ( letter` for alphabets. */
const sequences = /\u001b\[([0-?]*)([ -/]*)([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][0-9A-Za-z]/g;
/** Control characters; marks that reorder text or end a line (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters). */
const controls =
  /\u001b\[[\d;]*m|[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** To the first column, and what erases the line before it is written again. */
const restarts = /\u001b\[1?G/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: they are what this is about

function readable(raw: string): string {
  const shown = raw
    .replaceAll(restarts, "\r")
    .replaceAll(sequences, (whole, params = "", between = "", last = "") =>
      last === "m" && between === "" && /^[\d;]*$/.test(params) ? whole : "",
    );
  return lastState(shown).replaceAll(controls, (found) => (found.length > 1 ? found : picture(found)));
}

/** A progress bar writes its line again and again: the last text that it showed. */
function lastState(text: string): string {
  if (!text.includes("\r")) return text;
  return text.split("\r").findLast((state) => state.replaceAll(sgr, "").trim() !== "") ?? "";
}

/** https://www.unicode.org/charts/PDF/U2400.pdf; the others by their code. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return code < 0xa0 ? "\ufffd" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

// Colours --------------------------------------------------------------------------------------------------------------------

const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
const fronts = ["text-a0", "text-a1", "text-a2", "text-a3", "text-a4", "text-a5", "text-a6", "text-a7"];
const grounds = ["bg-a0", "bg-a1", "bg-a2", "bg-a3", "bg-a4", "bg-a5", "bg-a6", "bg-a7"];
const decorated: Partial<Record<string, string>> = {
  bold: "font-medium",
  dim: "text-text-3",
  italic: "italic",
  underline: "underline",
  strikethrough: "line-through",
};

type Part = ReturnType<typeof Anser.ansiToJson>[number];

/** Always legible: a colour on the log's ground, or the log's ground on a colour. */
function classesOf({ fg, fg_truecolor, bg, bg_truecolor, decorations }: Part): string {
  const ground = indexOf(bg, bg_truecolor);
  const front = indexOf(fg, fg_truecolor);
  const colour =
    ground === undefined ? [front === undefined ? undefined : fronts[front]] : [grounds[ground], "text-(color:--log)"];
  return [...new Set([...colour, ...decorations.map((each) => decorated[each])])].filter(Boolean).join(" ");
}

/** One of the eight colours; a bright one is the same, and others are the nearest. */
function indexOf(name: string | null, trueColour: string | null): number | undefined {
  if (!name) return undefined;
  const number = Number(/^ansi-palette-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
  if (number < 16) return number % 8;
  if (number <= 255) return nearest(paletteColour(number));
  if (name === "ansi-truecolor") return nearest((trueColour ?? "").split(",").map(Number));
  const index = colours.findIndex((colour) => name.endsWith(colour));
  return index === -1 ? undefined : index;
}

/** https://en.wikipedia.org/wiki/ANSI_escape_code#8-bit */
function paletteColour(number: number): number[] {
  if (number >= 232) return Array(3).fill((number - 232) * 10 + 8);
  const cube = number - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => level * 51);
}

/** By which of its parts are strong; greys are the text's own colours. */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): number | undefined {
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  if (high - low < 40) return high < 170 ? 7 : undefined;
  const isStrong = (value: number) => (value - low) * 2 > high - low;
  return (isStrong(red) ? 1 : 0) + (isStrong(green) ? 2 : 0) + (isStrong(blue) ? 4 : 0);
}

// Links ----------------------------------------------------------------------------------------------------------------------

const addresses = /https?:\/\/[^\s<>"'`\\^{}|]{1,2000}/gi;
/** Of the sentence around the address. */
const trailing = /[.,;:!?)\]]+$/;

function linked(content: string): { text: string; href?: string }[] {
  const pieces: { text: string; href?: string }[] = [];
  let end = 0;
  for (const found of content.matchAll(addresses)) {
    const address = found[0].replace(trailing, "");
    const url = URL.parse(address);
    if (!url || !/^https?:$/.test(url.protocol)) continue;
    if (found.index > end) pieces.push({ text: content.slice(end, found.index) });
    pieces.push({ text: address, href: url.href });
    end = found.index + address.length;
  }
  if (end < content.length) pieces.push({ text: content.slice(end) });
  return pieces;
}
