/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** Each `${value}` is text and is escaped, unless it is Html; lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, at) => text + render(parts[at])).join(""));
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(render).join("");
  return escapeText(String(part));
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Paragraphs, with `code` in backticks: all that descriptions use. */
export const prose = (text: string): Html =>
  html`${text.split("\n\n").map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;

export const inline = (text: string): Html =>
  html`${text.split("`").map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;

/** JSON with its keys, strings and other values distinguished. */
export function highlighted(value: unknown): Html {
  const text = JSON.stringify(value, null, 2) ?? "";
  const tokens = text.split(/("(?:\\.|[^"\\])*"(?=:)|"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b|-?\b\d[\d.e+-]*)/i);
  return html`${tokens.map((token, at) => (at % 2 === 0 ? token : mark(token, tokens[at + 1] ?? "")))}`;
}

function mark(token: string, next: string): Html {
  const kind = !token.startsWith('"') ? "value" : next.startsWith(":") ? "key" : "string";
  return new Html(`<span class="${kind}">${escapeText(token)}</span>`);
}
