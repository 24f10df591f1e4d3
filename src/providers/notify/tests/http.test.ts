import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, isIP, type LookupFunction } from "node:net";
import { after, before, describe, it } from "node:test";
import { checkedLookup } from "../../../lib/checked-lookup.ts";
import { deliver, isRefusal, type PostOptions, plainJudge, reachOf } from "../http.ts";
import { kinds } from "../kinds.ts";
import type { Outcome } from "../message.ts";
import { type HttpStandIn, openHttpStandIn } from "./stand-ins.ts";

const never = new AbortController().signal;

describe("a post to an address that a customer chose", () => {
  let other: HttpStandIn;
  before(async () => {
    other = await openHttpStandIn();
  });
  after(() => other.close());

  const post = (url: string, options: Partial<PostOptions> = {}): Promise<Outcome> =>
    deliver({ url, body: "{}" }, { mayReach: reachOf(["127.0.0.0/8"]), signal: never, ...options }, (answer) =>
      plainJudge(answer, isRefusal),
    );

  const failure = async (outcome: Promise<Outcome>) => {
    const ended = await outcome;
    assert.ok(!ended.isDelivered);
    return ended;
  };

  it("is delivered when it is answered with 2xx", async () => {
    other.answerWith({ status: 204 }, { status: 200, body: "ok\nmore" });
    assert.deepEqual(await post(other.url), { isDelivered: true, answer: "204" });
    assert.deepEqual(await post(other.url), { isDelivered: true, answer: "200 ok" });
  });

  it("reports the first line of a refusal, printable and short", async () => {
    other.answerWith({ status: 404, body: `no\u0007_service ${"x".repeat(5_000)}\nsecond` });
    const { error, isPermanent } = await failure(post(other.url));
    assert.match(error, /^The other side answered 404: no _service x+…$/);
    assert.ok(error.length < 400);
    assert.equal(isPermanent, true);
  });

  it("reveals no part of the address that an answer repeats, neither as it came nor as it is read", async () => {
    const parts = ["first%20part", "first part", "second+p%C3%A4rt", "second pärt", "third-part"];
    const target = JSON.stringify({ url: `${other.url}/first%20part?key=second+p%C3%A4rt&other=third-part` });
    const message = {
      id: "longshore-delivery-7",
      topic: "test",
      title: "A test",
      text: "It works",
      links: [],
      data: {},
      organization: { id: 3, name: "Acme" },
      createdAt: "2026-03-01T10:20:30.123456Z",
    } as const;
    const means = { mail: undefined, telegramUrl: "", allowedNetworks: ["127.0.0.0/8"], signal: never };
    for (const part of parts) {
      other.answerWith({ status: 403, body: `No such key: ${part}!` });
      const { error } = await failure(kinds.webhook.send(target, message, means, "whsec_c2VjcmV0"));
      assert.equal(error, "The other side answered 403: No such key: ********!", part);
    }
  });

  it("may be retried after 408, 429 and what is not 4xx", async () => {
    for (const status of [408, 429, 500, 503, 302]) {
      other.answerWith({ status, body: "" });
      assert.equal((await failure(post(other.url))).isPermanent, false, String(status));
    }
  });

  it("follows no redirect", async () => {
    const seen = other.received.length;
    other.answerWith({ status: 307, headers: { Location: `${other.url}/elsewhere` }, body: "" });
    const { error } = await failure(post(other.url));
    assert.equal(error, "The other side answered 307: redirects are not followed.");
    assert.equal(other.received.length, seen + 1);
  });

  it("reports for how long it must wait", async () => {
    other.answerWith({ status: 429, headers: { "Retry-After": "7" } });
    assert.equal((await failure(post(other.url))).retryAfterMs, 7_000);
  });

  it("gives up when there is no answer in time", async () => {
    other.answerWith({ silent: true });
    const { error, isPermanent } = await failure(post(other.url, { timeoutMs: 50 }));
    assert.equal(error, `${new URL(other.url).host} did not answer in time.`);
    assert.equal(isPermanent, false);
  });

  it("is delivered when the answer has come, though it never ends", async (t) => {
    const drip = createServer((_, response) => response.writeHead(200).write("o"));
    await new Promise<void>((listening) => drip.listen(0, "127.0.0.1", listening));
    t.after(() => drip.close().closeAllConnections());
    const url = `http://127.0.0.1:${(drip.address() as AddressInfo).port}`;
    let outcome: Outcome | undefined;
    // A busy machine may need longer for the start of an answer.
    for (const timeoutMs of [100, 1_000, 10_000]) if (!outcome?.isDelivered) outcome = await post(url, { timeoutMs });
    assert.deepEqual(outcome, { isDelivered: true, answer: "200 o" });
  });

  it("reads no more than the beginning of a long answer", async () => {
    other.answerWith({ status: 200, body: "x".repeat(2_000_000) });
    const outcome = await post(other.url);
    assert.ok(outcome.isDelivered && outcome.answer.length < 400);
  });

  it("reports what is wrong with what answers no HTTP", async (t) => {
    const tcp = createTcpServer((socket) => socket.on("error", () => undefined).end("hello\r\n"));
    await new Promise<void>((listening) => tcp.listen(0, "127.0.0.1", listening));
    t.after(() => tcp.close());
    const { port } = tcp.address() as AddressInfo;
    const { error } = await failure(post(`http://127.0.0.1:${port}/secret-path`));
    assert.equal(error, `127.0.0.1:${port} could not be reached: the answer is not HTTP.`);
  });

  it("reports that nothing listens", async () => {
    const gone = await openHttpStandIn();
    await gone.close();
    const { error } = await failure(post(`${gone.url}/secret-path`));
    assert.equal(error, `${new URL(gone.url).host} refused the connection.`);
  });
});

describe("a private address", () => {
  let inside: HttpStandIn;
  before(async () => {
    inside = await openHttpStandIn();
  });
  after(() => inside.close());

  const port = () => new URL(inside.url).port;
  const refuses = async (url: string) => {
    const outcome = await deliver({ url, body: "{}" }, { mayReach: reachOf([]), signal: never }, (answer) =>
      plainJudge(answer, isRefusal),
    );
    assert.ok(!outcome.isDelivered);
    assert.match(outcome.error, /private or reserved address/, url);
  };

  it("is not reached, however it is written", async () => {
    const hosts = [
      "127.0.0.1",
      "127.1",
      "0x7f.0.0.1",
      "2130706433",
      "0177.0.0.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "0.0.0.0",
    ];
    for (const host of hosts) await refuses(`http://${host}:${port()}/`);
    assert.equal(inside.received.length, 0);
  });

  it("is not reached by a name that leads there", async () => {
    await refuses(`http://localhost:${port()}/`);
    assert.equal(inside.received.length, 0);
  });

  it("is not reached when it is a cloud's own", async () => {
    await refuses("http://169.254.169.254/latest/meta-data/");
    await refuses("http://[fd00:ec2::254]/latest/meta-data/");
    await refuses("https://100.100.100.200/");
  });

  const ask = (lookup: LookupFunction, all = true) =>
    new Promise<{ error: Error | null; address: unknown }>((tell) =>
      lookup("hooks.example.com", { all }, (error, address) => tell({ error, address })),
    );

  const refusal = (name: string) => new Error(`${name} is refused`);

  it("spoils a name that leads to public addresses as well", async () => {
    const lookup = checkedLookup(reachOf([]), refusal, async () => ["1.1.1.1", "10.0.0.1"]);
    assert.match(String((await ask(lookup)).error?.message), /hooks\.example\.com is refused/);
  });

  it("cannot be slipped in after the check: the connection is to what was checked", async () => {
    let asked = 0;
    const lookup = checkedLookup(reachOf([]), refusal, async () => (asked++ === 0 ? ["1.1.1.1"] : ["127.0.0.1"]));
    assert.deepEqual((await ask(lookup)).address, [{ address: "1.1.1.1", family: 4 }]);
    assert.match(String((await ask(lookup)).error?.message), /hooks\.example\.com is refused/);
  });

  it("is reached when the operator allows its network", async () => {
    const options = { mayReach: reachOf(["127.0.0.1"]), signal: never };
    const outcome = await deliver({ url: inside.url, body: "{}" }, options, (answer) => plainJudge(answer, isRefusal));
    assert.equal(outcome.isDelivered, true);
    assert.equal(isIP(new URL(inside.url).hostname), 4);
  });

  it("is distinguished from a name that does not exist", async () => {
    const lookup = checkedLookup(reachOf([]), refusal, async () => []);
    assert.equal((await ask(lookup)).error?.message, "hooks.example.com has no address in the DNS.");
    const one = checkedLookup(reachOf([]), refusal, async () => ["1.1.1.1"]);
    assert.equal((await ask(one, false)).address, "1.1.1.1");
  });
});
