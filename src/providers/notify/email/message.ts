import type { Message } from "../message.ts";
import { escapeHtml, fit } from "../text.ts";

export interface Mail {
  /** One line. */
  subject: string;
  text: string;
  html: string;
}

/** A message as an email: plain text, and the same as simple HTML. */
export function mailOf(message: Message): Mail {
  const { title, text, links, organization } = message;
  const footer = `You receive this because the organization ${organization.name} has a notification channel to this address.`;
  return {
    subject: subjectOf(title),
    text: [text, ...links.map(({ label, url }) => `${label}: ${url}`), "--", footer]
      .filter((part) => part)
      .join("\n\n"),
    html: htmlOf(title, [text, ...links], footer),
  };
}

type Paragraph = string | { label: string; url: string };

/** A mail to one person, who is not a recipient of notifications. */
export function letter({
  title,
  paragraphs,
  footer,
}: {
  title: string;
  paragraphs: Paragraph[];
  footer: string;
}): Mail {
  const lines = paragraphs.map((each) => (typeof each === "string" ? each : `${each.label}:\n${each.url}`));
  return {
    subject: subjectOf(title),
    text: [...lines, "--", footer].join("\n\n"),
    html: htmlOf(title, paragraphs, footer),
  };
}

/** Paragraphs of plain text, and of links, as HTML that every mail program shows. */
function htmlOf(title: string, paragraphs: readonly Paragraph[], footer: string): string {
  const body = paragraphs.map((each) => {
    if (each === "") return "";
    if (typeof each === "string") return `<p>${escapeHtml(each).replaceAll("\n", "<br>\n")}</p>`;
    return `<p><a href="${escapeHtml(each.url)}">${escapeHtml(each.label)}</a></p>`;
  });
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head><body style="font-family:sans-serif;line-height:1.5">',
    `<h2 style="font-size:1.2em">${escapeHtml(title)}</h2>`,
    ...body,
    `<p style="color:#666;font-size:.9em">${escapeHtml(footer)}</p>`,
    "</body></html>",
  ].join("\n");
}

/** Keeps any text within one header. */
export const subjectOf = (text: string): string =>
  fit(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim(), 200);
