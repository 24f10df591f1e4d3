import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, describe, it } from "node:test";
import { sendMail } from "../email/send.ts";
import { openSmtpStandIn, type SmtpStandIn } from "./stand-ins.ts";

const never = new AbortController().signal;

describe("an email to the mail server", () => {
  let server: SmtpStandIn;
  before(async () => {
    server = await openSmtpStandIn();
  });
  after(() => server.close());

  const content = {
    to: ["ops@example.com"],
    id: "longshore-delivery-7",
    subject: "It failed",
    text: "Why",
    html: "<p>Why</p>",
  };
  const mail = () => ({ url: server.url, from: "Longshore <deploy@example.com>" });
  const last = () => server.mails.at(-1);

  const failure = async (sent: ReturnType<typeof sendMail>) => {
    const outcome = await sent;
    assert.ok(!outcome.isDelivered);
    return outcome;
  };

  it("goes to all of the addresses, as text and as HTML", async () => {
    const to = ["ops@example.com", "dev@example.com"];
    const outcome = await sendMail(mail(), { ...content, to, headers: { "X-Longshore-Topic": "test" } }, never);
    assert.deepEqual(outcome, { isDelivered: true, answer: "250 queued as 4711" });
    assert.equal(last()?.from, "deploy@example.com");
    assert.deepEqual(last()?.to, to);
    const { headers, source } = await server.mail(1);
    assert.equal(headers.from, "Longshore <deploy@example.com>");
    assert.equal(headers.subject, "It failed");
    assert.equal(headers["message-id"], "<longshore-delivery-7@example.com>");
    assert.equal(headers["auto-submitted"], "auto-generated");
    assert.equal(headers["x-longshore-topic"], "test");
    assert.match(source, /Content-Type: text\/plain[\s\S]*Why[\s\S]*Content-Type: text\/html[\s\S]*<p>Why<\/p>/);
  });

  it("has no header but its own, whatever its texts hold", async () => {
    const subject = "x\r\nBcc: evil@example.com\r\n\r\nevil body";
    await sendMail(mail(), { ...content, subject, text: "a\r\n.\r\nRCPT TO:<evil@example.com>\r\n" }, never);
    assert.deepEqual(last()?.to, ["ops@example.com"]);
    assert.equal(last()?.headers.bcc, undefined);
    assert.ok(!server.said.some((line) => line.includes("evil@example.com")));
  });

  it("is retried when the server asks for it, and not when it refuses", async () => {
    server.answerOnce("RCPT", "451 greylisted, come back");
    const later = await failure(sendMail(mail(), content, never));
    assert.deepEqual(later, {
      isDelivered: false,
      error: "The mail server answered: 451 greylisted, come back",
      isPermanent: false,
    });
    server.answerOnce("RCPT", "550 no such user");
    const refused = await failure(sendMail(mail(), content, never));
    assert.equal(refused.error, "The mail server answered: 550 no such user");
    assert.equal(refused.isPermanent, true);
  });

  it("reports for whom it was refused when others got it", async () => {
    server.answerOnce("RCPT TO:<gone@", "550 gone");
    const outcome = await sendMail(mail(), { ...content, to: ["ops@example.com", "gone@example.com"] }, never);
    assert.deepEqual(outcome, { isDelivered: true, answer: "250 queued as 4711 (refused for gone@example.com)" });
  });

  it("logs in when there is a password, which is in no error", async () => {
    const url = server.url.replace("//", "//user:pass%2Fword-123@");
    assert.equal((await sendMail({ ...mail(), url }, content, never)).isDelivered, true);
    assert.ok(server.said.some((line) => line.startsWith("AUTH PLAIN")));
    server.answerOnce("AUTH", "535 the password pass/word-123 is wrong");
    const { error, isPermanent } = await failure(sendMail({ ...mail(), url }, content, never));
    assert.equal(error, "The mail server answered: 535 the password ******** is wrong");
    assert.equal(isPermanent, false, "the operator can put it right");
  });

  it("sends no password over a network without TLS", async (t) => {
    const other = await openSmtpStandIn("0.0.0.0");
    t.after(() => other.close());
    const url = other.url.replace("//", "//user:password@");
    const { error } = await failure(sendMail({ ...mail(), url }, content, never));
    assert.match(error, /^The mail server answered: 502 there is no TLS here/);
    assert.ok(other.said.some((line) => line.startsWith("STARTTLS")));
    assert.ok(!other.said.some((line) => line.startsWith("AUTH")));
  });

  it("ends when the server does not answer, or the process stops", async (t) => {
    const silent = createServer(() => undefined);
    await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
    t.after(() => silent.close());
    const { port } = silent.address() as { port: number };
    const url = `smtp://127.0.0.1:${port}`;
    const stopping = new AbortController();
    silent.once("connection", () => stopping.abort());
    const { error } = await failure(sendMail({ ...mail(), url }, content, stopping.signal));
    assert.equal(error, "The mail server did not answer in time");
  });

  it("reports that nothing listens", async () => {
    const gone = await openSmtpStandIn();
    await gone.close();
    const { error, isPermanent } = await failure(sendMail({ ...mail(), url: gone.url }, content, never));
    assert.match(error, /^The mail server refused the connection/);
    assert.equal(isPermanent, false);
  });
});
