import { colourOf, type Link, type Message } from "../message.ts";
import { fit } from "../text.ts";

// Lengths beyond which Discord refuses an embed. The description leaves room for the links.
const maxTitle = 256;
const maxText = 3_500;
const maxLinks = 500;
const maxFooter = 200;

/** The body for a webhook: one embed, which never mentions a user. */
export function discordBody(message: Message): object {
  const { title, text, links, organization } = message;
  // As many links as fit, each complete.
  let left = maxLinks;
  const fitting = links.map(discordLink).filter((link) => {
    left -= link.length + 3;
    return left >= 0;
  });
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: fit(title, maxTitle, escapeMarkdown),
        description: [fit(text, maxText, escapeMarkdown), fitting.join(" · ")]
          .filter((part) => part !== "")
          .join("\n\n"),
        color: colourOf(message),
        timestamp: message.createdAt,
        footer: { text: fit(organization.name, maxFooter) },
      },
    ],
  };
}

/** A backslash before a mark makes it plain text. */
const escapeMarkdown = (text: string): string => text.replace(/[\\*_~`|<>[\]#@]/g, "\\$&");

const discordLink = ({ label, url }: Link): string =>
  `[${escapeMarkdown(label)}](${url.replace(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29"))})`;
