// What comes from names, logs and commit messages is shown as text: it cannot move the cursor, hide what stands before it, or reorder
// the line.

const hostileCharacters =
  "[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]";
const hostile = new RegExp(hostileCharacters, "g");
const colourSequence = "\\u001b\\[[0-9;]*m";
const colours = new RegExp(colourSequence, "g");

/** Marks that show nothing; the others of `hostile` change what is shown. */
const silent = /[\u061c\u200b\u200e\u200f\u2060\ufeff]/;

/** One line that is safe to print: control characters as pictures (␛), and controls of the writing direction as �. */
export function visible(text: string): string {
  return text.replaceAll("\t", "  ").replace(hostile, pictureOf);
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  return silent.test(character) ? "" : "\ufffd";
}

/** A line of a log: as `visible`, and without the colours and line ends that programs write for terminals. */
export const visibleLine = (line: string): string => visible(line.replace(colours, "").replace(/\r+$/, ""));

/** JSON that is safe on a terminal too: what JSON leaves as it is although terminals act on it is escaped. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replace(hostile, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const narrow = /^[\u0020-\u024f]*$/;
const widthless = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** How many columns of a terminal the text takes. */
export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

const columnsOf = (character: string): number => (widthless.test(character) ? 0 : wide.test(character) ? 2 : 1);

/** The text in at most `columns` columns, with … where something is left out. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A cell that is written from right to left keeps its place among its neighbours on a terminal. */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text);
