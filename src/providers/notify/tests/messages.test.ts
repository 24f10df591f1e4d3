import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { discordBody } from "../discord/message.ts";
import { mailOf } from "../email/message.ts";
import { linksIn, type Message } from "../message.ts";
import { slackBody } from "../slack/message.ts";
import { telegramBody } from "../telegram/message.ts";
import { fit } from "../text.ts";
import { signedHeaders, webhookBody } from "../webhook/message.ts";

const plain: Message = {
  id: "longshore-delivery-7",
  topic: "deployment.failed",
  title: "Deployment of shop failed",
  text: "Branch main at 0123456 on web-1, started by Alice.\nnpm failed.",
  links: [{ label: "Show the commit", url: "https://git.example.com/shop/commit/0123456" }],
  data: { project_id: 5 },
  organization: { id: 3, name: "Acme" },
  createdAt: "2026-03-01T10:20:30.123456Z",
};

/** Everything that any of the services interprets. */
const hostile: Message = {
  ...plain,
  title: "<!channel> @everyone <b>*bold*</b> & [x](https://evil.example)",
  text: "<@U123> <https://evil.example|click> `code` ||spoiler|| </pre><script>alert(1)</script>\n# head",
};

const long: Message = { ...plain, title: "t".repeat(5_000), text: "&".repeat(100_000) };

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
const asAny = (body: object): any => body;

describe("a message for Slack", () => {
  it("has a header, the text, links and the organization, with a colour for failures", () => {
    const { text, attachments } = asAny(slackBody(plain));
    assert.match(text, /^\*Deployment of shop failed\*\nBranch main/);
    assert.equal(attachments[0].color, "#d1242f");
    assert.equal(asAny(slackBody({ ...plain, topic: "deployment.succeeded" })).attachments[0].color, "#1a7f37");
    const [header, body, links, context] = attachments[0].blocks;
    assert.deepEqual(header, { type: "header", text: { type: "plain_text", text: plain.title, emoji: false } });
    assert.deepEqual(body.text, { type: "mrkdwn", text: plain.text, verbatim: true });
    assert.equal(links.text.text, "<https://git.example.com/shop/commit/0123456|Show the commit>");
    assert.equal(context.elements[0].text, "Acme");
  });

  it("mentions no user and links nowhere by what is in the text", () => {
    const { text, attachments } = asAny(slackBody(hostile));
    for (const part of [text.replace(/\n<https:\/\/git[^\n]*$/, ""), attachments[0].blocks[1].text.text]) {
      assert.doesNotMatch(part, /[<>]/);
      assert.match(part, /&lt;@U123&gt; &lt;https:\/\/evil\.example\|click&gt;/);
    }
  });

  it("stays within Slack's lengths", () => {
    const { attachments } = asAny(slackBody(long));
    assert.equal(attachments[0].blocks[0].text.text.length, 150);
    assert.ok(attachments[0].blocks[1].text.text.length <= 3_000);
    assert.match(attachments[0].blocks[1].text.text, /&amp;…$/, "no entity is cut in half");
  });
});

describe("a message for Discord", () => {
  it("is an embed that mentions no user", () => {
    const body = asAny(discordBody(plain));
    assert.deepEqual(body.allowed_mentions, { parse: [] });
    assert.equal(body.content, undefined);
    const [embed] = body.embeds;
    assert.equal(embed.title, plain.title);
    assert.equal(embed.description, `${plain.text}\n\n[Show the commit](https://git.example.com/shop/commit/0123456)`);
    assert.equal(embed.timestamp, plain.createdAt);
    assert.equal(embed.footer.text, "Acme");
  });

  it("shows marks as they are", () => {
    const [embed] = asAny(discordBody(hostile)).embeds;
    assert.match(embed.description, /^\\<\\@U123\\> \\<https:\/\/evil\.example\\\|click\\> \\`code\\`/);
    assert.match(embed.title, /^\\<!channel\\> \\@everyone \\<b\\>\\\*bold\\\*/);
    const odd = asAny(discordBody({ ...plain, links: [{ label: "a](b", url: "https://x.example/(a)" }] }));
    assert.match(odd.embeds[0].description, /\[a\\\]\(b\]\(https:\/\/x\.example\/%28a%29\)$/);
  });

  it("stays within Discord's lengths", () => {
    const many = Array.from({ length: 30 }, (_, n) => ({
      label: `link ${n}`,
      url: `https://example.com/${"x".repeat(40)}`,
    }));
    const [embed] = asAny(discordBody({ ...long, text: "*".repeat(9_000), links: many })).embeds;
    assert.equal(embed.title.length, 256);
    assert.ok(embed.description.length <= 4_096);
    assert.match(embed.description, /\)$/, "links are whole");
  });
});

describe("a message for Telegram", () => {
  const target = { chatId: "-1001", threadId: null };

  it("is HTML with a bold title and links", () => {
    const body = asAny(telegramBody(target, plain));
    assert.equal(body.chat_id, "-1001");
    assert.equal(body.parse_mode, "HTML");
    assert.equal(body.message_thread_id, undefined);
    assert.equal(
      body.text,
      `<b>Deployment of shop failed</b>\n${plain.text}\n<a href="https://git.example.com/shop/commit/0123456">Show the commit</a>`,
    );
    assert.equal(asAny(telegramBody({ ...target, threadId: 5 }, plain)).message_thread_id, 5);
  });

  it("holds no marks but its own", () => {
    const { text } = asAny(telegramBody(target, hostile));
    assert.deepEqual(text.match(/<[^>]*>/g), [
      "<b>",
      "</b>",
      '<a href="https://git.example.com/shop/commit/0123456">',
      "</a>",
    ]);
    const { text: odd } = asAny(
      telegramBody(target, { ...plain, links: [{ label: "x", url: 'https://x.example/?a="&b' }] }),
    );
    assert.match(odd, /<a href="https:\/\/x\.example\/\?a=&quot;&amp;b">x<\/a>$/);
  });

  it("stays within Telegram's length", () => {
    const { text } = asAny(telegramBody(target, long));
    assert.ok(text.length <= 4_096);
    assert.match(text, /&amp;…\n<a /);
  });
});

describe("an email", () => {
  it("is plain text, and the same as HTML", () => {
    const content = mailOf(plain);
    assert.equal(content.subject, plain.title);
    assert.match(
      content.text,
      /npm failed\.\n\nShow the commit: https:\/\/git\.example\.com\/shop\/commit\/0123456\n\n--/,
    );
    assert.match(content.html, /started by Alice\.<br>\nnpm failed\.<\/p>/);
    assert.match(content.html, /<a href="https:\/\/git\.example\.com\/shop\/commit\/0123456">Show the commit<\/a>/);
  });

  it("shows marks as they are", () => {
    const { html } = mailOf(hostile);
    assert.doesNotMatch(html, /<script|<b>|<!channel/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  });

  it("has one subject, whatever is in the title", () => {
    const { subject } = mailOf({ ...plain, title: "a\r\nBcc: evil@example.com\r\n\r\nbody\u2028\u0000\u200bx" });
    assert.equal(subject, "a Bcc: evil@example.com body x");
  });
});

describe("a message for a webhook", () => {
  it("is data", () => {
    assert.deepEqual(JSON.parse(webhookBody(plain)), {
      type: "deployment.failed",
      timestamp: plain.createdAt,
      title: plain.title,
      text: plain.text,
      organization: { id: 3, name: "Acme" },
      data: { project_id: 5 },
    });
  });

  it("is signed over id, time and body", () => {
    const key = Buffer.from("a key of this test");
    const at = new Date("2026-03-01T00:00:00.900Z");
    const headers = signedHeaders("longshore-delivery-7", '{"a":"ü"}', `whsec_${key.toString("base64")}`, at);
    const seconds = Date.parse("2026-03-01T00:00:00Z") / 1_000;
    const expected = createHmac("sha256", key).update(`longshore-delivery-7.${seconds}.{"a":"ü"}`).digest("base64");
    assert.deepEqual(headers, {
      "webhook-id": "longshore-delivery-7",
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${expected}`,
    });
  });

  it("has the signature that libraries of the standard compute", () => {
    // The example from the tests of the standard's own libraries.
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const headers = signedHeaders(
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      '{"test": 2432232314}',
      secret,
      new Date(1_614_265_330_000),
    );
    assert.equal(headers["webhook-signature"], "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });
});

describe("links", () => {
  it("are web addresses, or left out", () => {
    const good = { label: "Commit", url: "https://git.example.com/c" };
    const links = [
      good,
      { label: "x", url: "javascript:alert(1)" },
      { label: 1, url: good.url },
      null,
      { url: "https://" },
    ];
    assert.deepEqual(linksIn({ links }), [good]);
    assert.deepEqual(linksIn({}), []);
  });
});

describe("a text that is cut", () => {
  it("keeps whole characters", () => {
    assert.equal(fit("abc", 3), "abc");
    assert.equal(fit("abcd", 3), "ab…");
    assert.equal(fit("😀😀😀", 4), "😀…");
    assert.equal(
      fit("&&", 9, (text) => text.replaceAll("&", "&amp;")),
      "&amp;…",
    );
  });
});
