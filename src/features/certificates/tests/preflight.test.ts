import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { after, before, describe, test } from "node:test";
import type { Resolution } from "../../../lib/dns.ts";
import { checkNames, type Finding, namesToOrder } from "../preflight.ts";

// Checks addresses of this machine; test/e2e/certificates.e2e.test.ts has real servers and a real DNS.

let site: Server;
const ours = "127.13.0.1";

before(async () => {
  site = createServer((request, response) => {
    const isThere = request.url === "/probe" && request.headers.host === "a.test";
    response.writeHead(isThere ? 200 : 404).end("content");
  });
  await new Promise<void>((resolve, reject) => site.once("error", reject).listen(80, ours, resolve));
});

after(() => site?.close());

async function look(name: string, resolution: Partial<Resolution>, server = ours): Promise<Finding> {
  const [finding] = await checkNames({
    names: [name],
    server: { name: "App 1", public_ip: server },
    probe: { path: "/probe", content: "content" },
    resolve: async () => ({ addresses: [], chain: [], ...resolution }),
  });
  return finding as Finding;
}

async function assertWrong(name: string, ...rest: [resolution: Partial<Resolution>, server?: string]): Promise<string> {
  const { isFine, sentence } = await look(name, ...rest);
  assert.equal(isFine, false, sentence);
  return sentence;
}

describe("a name", () => {
  test("is accepted when it leads to the server", async () => {
    const { isFine, sentence } = await look("a.test", { addresses: [ours] });
    assert.deepEqual([isFine, sentence], [true, "a.test points to this server, and port 80 answers."]);
  });

  test("is reported when something else on the server answers", async () => {
    const wrong = await assertWrong("b.test", { addresses: [ours] });
    assert.equal(wrong, `b.test points here, but port 80 of ${ours} is not answered by its site (status 404).`);
  });

  test("is reported when port 80 is closed", async () => {
    const closed = "127.13.0.2";
    const wrong = await assertWrong("a.test", { addresses: [closed] }, closed);
    assert.equal(
      wrong,
      `a.test points here, but port 80 of ${closed} does not answer (connection refused): open it in the firewall.`,
    );
  });

  test("is reported with the record to set when it points elsewhere, and private networks are not requested", async () => {
    const wrong = await assertWrong("a.test", { addresses: [ours, "127.13.0.3"] });
    assert.equal(wrong, `a.test points to 127.13.0.3 and not to App 1: set its DNS record to ${ours}.`);
  });

  const unknown: [Resolution["error"], RegExp][] = [
    [
      { reason: "missing", name: "a.test" },
      /^a\.test does not exist in the DNS: add an A record with 127\.13\.0\.1\.$/,
    ],
    [{ reason: "missing", name: "b.test" }, /^a\.test is an alias of b\.test, which does not exist/],
    [{ reason: "empty", name: "a.test" }, /^a\.test has no address in the DNS: add an A record/],
    [{ reason: "timeout", name: "a.test" }, /^The DNS servers did not answer in time when asked for a\.test\./],
    [{ reason: "broken", name: "a.test" }, /^a\.test cannot be looked up/],
    [{ reason: "refused", name: "a.test" }, /^The DNS servers refuse to look a\.test up/],
  ];
  for (const [error, expected] of unknown) {
    test(`is reported when it has no address: ${error?.reason} of ${error?.name}`, async () => {
      const wrong = await assertWrong("a.test", error ? { error } : {});
      assert.match(wrong, expected);
    });
  }

  test("needs an AAAA record if the server has an IPv6 address", async () => {
    const wrong = await assertWrong("a.test", { error: { reason: "missing", name: "a.test" } }, "2001:db8::1");
    assert.match(wrong, /add an AAAA record with 2001:db8::1/);
  });
});

describe("the names of an order", () => {
  const finding = (name: string, isFine = true): Finding => ({ name, isFine, sentence: `About ${name}.` });
  const order = (findings: Finding[], refused: string[] = [], covered: string[] = []) =>
    namesToOrder(findings, { refused, covered });

  test("are those that lead to the server; the others are left out with what to change", () => {
    for (const covered of [[], ["b.test"]]) {
      const { names, leftOut } = order([finding("a.test"), finding("b.test", false), finding("c.test")], [], covered);
      assert.deepEqual([names, leftOut], [["a.test", "c.test"], [{ name: "b.test", reason: "About b.test." }]]);
    }
  });

  test("exclude those that the authority refused recently", () => {
    const { names, leftOut } = order([finding("a.test"), finding("b.test")], ["b.test"]);
    assert.deepEqual(names, ["a.test"]);
    assert.match(leftOut[0]?.reason ?? "", /^The authority could not verify b\.test/);
  });

  test("are all that lead here if the authority refused each of them", () => {
    const { names, leftOut } = order([finding("a.test"), finding("b.test", false)], ["a.test"]);
    assert.deepEqual([names, leftOut.map(({ name }) => name)], [["a.test"], ["b.test"]]);
  });

  test("are none when none leads here", () => assert.deepEqual(order([finding("a.test", false)]).names, []));

  test("include a refused name that the present certificate covers", () => {
    assert.deepEqual(order([finding("a.test"), finding("b.test")], ["b.test"], ["b.test"]).names, ["a.test", "b.test"]);
  });

  test("are none while it is unknown whether a covered name leads here", () => {
    const unknown = { ...finding("b.test", false), isUnknown: true };
    assert.deepEqual(order([finding("a.test"), unknown], [], ["b.test"]).names, []);
    assert.deepEqual(order([finding("a.test"), unknown]).names, ["a.test"]);
  });
});
