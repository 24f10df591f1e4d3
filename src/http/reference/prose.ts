import { html, type Markup } from "../../lib/html.ts";

// The markup that descriptions have: paragraphs, lists whose lines begin with an asterisk, and code between backticks.

export const prose = (text: string): Markup[] =>
  text.split("\n\n").map((block) => {
    const lines = block.split("\n");
    const items = lines.filter((line) => line.startsWith("* "));
    if (items.length < lines.length) return html`<p>${inline(block)}</p>`;
    return html`<ul>${items.map((item) => html`<li>${inline(item.slice(2))}</li>`)}</ul>`;
  });

export const inline = (text: string): Markup => ({
  markup: text
    .split(/(``.+?``|`[^`]+`)/)
    .map((part) => (part.startsWith("`") ? html`<code>${part.replace(/^`+ ?| ?`+$/g, "")}</code>` : html`${part}`))
    .map(({ markup }) => markup)
    .join(""),
});
