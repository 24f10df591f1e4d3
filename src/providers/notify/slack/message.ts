import { colourOf, type Link, type Message } from "../message.ts";
import { fit } from "../text.ts";

// Lengths beyond which Slack rejects a message.
const maxHeader = 150;
const maxSection = 3_000;

/**
 * The body for an incoming webhook. `text` appears in notifications, and is the whole message for programs that support
 * Slack's format without blocks, such as Mattermost.
 */
export function slackBody(message: Message): object {
  const { title, text, links } = message;
  const blocks = [
    { type: "header", text: { type: "plain_text", text: fit(title, maxHeader), emoji: false } },
    ...(text === "" ? [] : [section(fit(text, maxSection, escapeMrkdwn))]),
    ...(links.length === 0 ? [] : [section(links.map(slackLink).join("  "))]),
    {
      type: "context",
      elements: [{ type: "plain_text", text: fit(message.organization.name, maxHeader), emoji: false }],
    },
  ];
  const colour = `#${colourOf(message).toString(16).padStart(6, "0")}`;
  return {
    text: [`*${escapeMrkdwn(title)}*`, fit(text, maxSection, escapeMrkdwn), ...links.map(slackLink)].join("\n").trim(),
    attachments: [{ color: colour, blocks }],
  };
}

// `verbatim`: names of channels and people in the text are not linked.
const section = (text: string): object => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });

/** Everything that Slack interprets, such as `<!channel>`, contains one of these three. */
const escapeMrkdwn = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const slackLink = ({ label, url }: Link): string =>
  `<${escapeMrkdwn(url).replaceAll("|", "%7C")}|${escapeMrkdwn(label).replaceAll("|", "/")}>`;
