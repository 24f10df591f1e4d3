import type { Link, Message } from "../message.ts";
import { escapeHtml, fit } from "../text.ts";
import type { TelegramTarget } from "./target.ts";

// A message has at most 4096 characters, counted after the markup is parsed: text that fits with its markup fits
// without.
const maxTitle = 400;
const maxText = 3_000;
const maxLinks = 600;

/** The body of `sendMessage`. */
export const telegramBody = ({ chatId, threadId }: Omit<TelegramTarget, "botToken">, message: Message): object => ({
  chat_id: chatId,
  ...(threadId !== null && { message_thread_id: threadId }),
  text: telegramHtml(message),
  parse_mode: "HTML",
  link_preview_options: { is_disabled: true },
});

function telegramHtml({ title, text, links }: Message): string {
  const parts = [`<b>${fit(title, maxTitle, escapeHtml)}</b>`, fit(text, maxText, escapeHtml), linksOf(links)];
  return parts.filter((part) => part !== "").join("\n");
}

function linksOf(links: readonly Link[]): string {
  const line = links.map(({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`).join(" · ");
  return line.length <= maxLinks ? line : "";
}
