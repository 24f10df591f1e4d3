import type { Message } from "../message.ts";
import { escapeHtml, fit } from "../text.ts";
import type { TelegramTarget } from "./target.ts";

// A message has at most 4096 characters, counted after the markup is parsed: text that fits with its markup fits
// without.
const maxTitle = 400;
const maxText = 3_000;
const maxLinks = 600;

/** The body of `sendMessage`. */
export function telegramBody({ chatId, threadId }: Omit<TelegramTarget, "botToken">, message: Message): object {
  const links = message.links
    .map(({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`)
    .join(" · ");
  const parts = [
    `<b>${fit(message.title, maxTitle, escapeHtml)}</b>`,
    fit(message.text, maxText, escapeHtml),
    links.length <= maxLinks ? links : "",
  ];
  return {
    chat_id: chatId,
    ...(threadId !== null && { message_thread_id: threadId }),
    text: parts.filter((part) => part !== "").join("\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  };
}
