/** A piece of HTML or XML. Only `html` makes one, so that a text never becomes markup by accident. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | readonly Markup[] | false | undefined;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text, escaped for an element or a quoted attribute; characters that XML does not allow are replaced. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"']/g, (character) => entities[character] as string);

function rendered(value: Value): string {
  if (value === false || value === undefined) return "";
  if (typeof value === "object") return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
  return escaped(String(value));
}

/** Markup in which each value is text; Markup stays, `false` and `undefined` are left out. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Markup => ({
  markup: strings.reduce((all, part, at) => all + rendered(values[at - 1]) + part),
});
