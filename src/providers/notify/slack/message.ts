import { colourOf, type Link, type Message } from "../message.ts";
import { fit } from "../text.ts";

// Lengths beyond which Slack refuses a message.
const maxHeader = 150;
const maxSection = 3_000;

/**
 * The body for an incoming webhook. `text` is what notifications show, and all there is for programs that speak Slack's
 * language without blocks, such as Mattermost.
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

// `verbatim`: names of channels and people in the text stay text.
const section = (text: string): object => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });

/** These three begin everything that Slack acts upon, such as `<!channel>`. */
const escapeMrkdwn = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const slackLink = ({ label, url }: Link): string =>
  `<${escapeMrkdwn(url).replaceAll("|", "%7C")}|${escapeMrkdwn(label).replaceAll("|", "/")}>`;
