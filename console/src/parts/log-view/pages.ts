import type { LogPart } from "../../../../contract/types.ts";

// What the page holds of a log: some of its pages of 500 lines, never all of it.

export const pageLines = 500;
/** How much is kept; what is on screen always is. */
const most = { pages: 40, characters: 16_000_000 };
/** Of a longer line the beginning is shown. */
const longestLine = 8_192;
const cutMark = " … (cut: the raw log has the whole line)";

/** A part of the log as replies and streams have it. */
export interface Piece extends Pick<LogPart, "offset" | "text" | "first_line"> {
  /** When its lines were printed, where that is known. */
  at?: string | null;
}

interface Page {
  /** By their place in the page. */
  lines: (string | undefined)[];
  times: (string | null | undefined)[];
  characters: number;
}

export const pageOf = (line: number): number => Math.floor((line - 1) / pageLines);
export const firstOf = (page: number): number => page * pageLines + 1;

export class LogPages {
  /** Lines of the log so far, whether or not they are here. */
  total = 0;
  /** In the order of their last use. */
  private readonly pages = new Map<number, Page>();
  private characters = 0;
  /** The line that the last live piece has not ended. */
  private open: number | undefined;
  /** The offset of the last live piece. */
  private takenTo = -1;

  line(number: number): string | undefined {
    return this.pages.get(pageOf(number))?.lines[(number - 1) % pageLines];
  }

  timeOf(number: number): string | null | undefined {
    return this.pages.get(pageOf(number))?.times[(number - 1) % pageLines];
  }

  isCut = (number: number): boolean => this.line(number)?.endsWith(cutMark) ?? false;

  /** For tests of its bounds. */
  get held(): { pages: number; characters: number } {
    return { pages: this.pages.size, characters: this.characters };
  }

  /** Takes what a stream sent; what was taken before has no effect. */
  takeLive(piece: Piece): void {
    if (piece.offset <= this.takenTo) return;
    this.takenTo = piece.offset;
    this.open = this.place(piece, this.open);
    this.forgetOldest();
  }

  /** Takes a reply: lines as they are in the log. Returns the last one, and whether the reply has all of it. */
  takeReply(pieces: readonly Piece[]): { last: number; isWhole: boolean } {
    let open: number | undefined;
    let last = 0;
    for (const piece of pieces) {
      open = this.place(piece, open);
      last = piece.first_line + newlinesIn(piece.text) - (open === undefined ? 1 : 0);
    }
    this.forgetOldest();
    return { last, isWhole: open === undefined };
  }

  /** The live pieces continue a reply, which ended in the middle of this line. */
  continueLine(line: number): void {
    this.open = line;
  }

  setTotal(lines: number): void {
    this.total = Math.max(this.total, lines);
  }

  /** The first line that is not here, of those from one line to another. */
  findMissing(from: number, to: number): number | undefined {
    for (let number = Math.max(1, from); number <= Math.min(to, this.total); number++) {
      if (this.line(number) === undefined) return number;
    }
    return undefined;
  }

  /** These pages are on screen: they are the last to be forgotten. */
  use(from: number, to: number): void {
    for (let page = pageOf(from); page <= pageOf(to); page++) {
      const held = this.pages.get(page);
      if (!held) continue;
      this.pages.delete(page);
      this.pages.set(page, held);
    }
  }

  /** Puts the lines of a piece in their pages. `open` is the line that the piece before has not ended; returns that of this one. */
  private place({ text, first_line: first, at: time }: Piece, open: number | undefined): number | undefined {
    const lines = text.split("\n");
    const isEnded = lines.at(-1) === "";
    if (isEnded) lines.pop();
    // A slice would keep the whole text of a long line in memory.
    const own = lines.some(({ length }) => length > longestLine) ? copyOf : (line: string) => line;
    for (const [at, line] of lines.entries()) {
      const before = at === 0 && open === first ? (this.line(first) ?? "") : "";
      this.set(first + at, before, own, line);
      if (time) this.pageWith(first + at).times[(first + at - 1) % pageLines] = time;
    }
    const last = first + lines.length - 1;
    this.setTotal(last);
    this.use(first, last);
    return isEnded ? undefined : last;
  }

  private set(number: number, before: string, own: (line: string) => string, more: string): void {
    if (before.endsWith(cutMark)) return;
    const page = this.pageWith(number);
    const at = (number - 1) % pageLines;
    const line = before.length + more.length > longestLine ? cut(before + more) : before + own(more);
    const grown = line.length - (page.lines[at]?.length ?? 0);
    page.lines[at] = line;
    page.characters += grown;
    this.characters += grown;
  }

  private pageWith(line: number): Page {
    const number = pageOf(line);
    const held = this.pages.get(number);
    if (held) return held;
    const page: Page = { lines: new Array(pageLines), times: [], characters: 0 };
    this.pages.set(number, page);
    return page;
  }

  private forgetOldest(): void {
    for (const [number, page] of this.pages) {
      const isMuch = this.pages.size > most.pages || this.characters > most.characters;
      // A screen shows two pages at most, and a live one is written to.
      if (!isMuch || this.pages.size <= 3) return;
      this.pages.delete(number);
      this.characters -= page.characters;
    }
  }
}

/** Never in the middle of a character. */
function cut(text: string): string {
  const isPair = /[\ud800-\udbff]/.test(text[longestLine - 1] ?? "");
  return copyOf(text.slice(0, isPair ? longestLine - 1 : longestLine) + cutMark);
}

const copyOf = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
