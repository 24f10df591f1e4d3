import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { after, before, describe, test } from "node:test";
import type { Resolution } from "../../../lib/dns.ts";
import { checkNames } from "../preflight.ts";

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

const look = (name: string, resolution: Partial<Resolution>, server = ours) =>
  checkNames({
    names: [name],
    server: { name: "App 1", public_ip: server },
    probe: { path: "/probe", content: "content" },
    resolve: async () => ({ addresses: [], chain: [], ...resolution }),
  });

describe("a name", () => {
  test("that leads to the server is fine", async () => {
    const { fine, wrong } = await look("a.test", { addresses: [ours] });
    assert.deepEqual([fine, wrong], [["a.test points to this server, and port 80 answers."], []]);
  });

  test("that is answered by something else on the server is reported", async () => {
    const { wrong } = await look("b.test", { addresses: [ours] });
    assert.deepEqual(wrong, [`b.test points here, but port 80 of ${ours} is not answered by its site (status 404).`]);
  });

  test("whose port 80 is closed is reported", async () => {
    const closed = "127.13.0.2";
    const { wrong } = await look("a.test", { addresses: [closed] }, closed);
    assert.deepEqual(wrong, [
      `a.test points here, but port 80 of ${closed} does not answer (connection refused): open it in the firewall.`,
    ]);
  });

  test("that points elsewhere is reported with what to set, and inner networks are not asked", async () => {
    const { wrong } = await look("a.test", { addresses: [ours, "127.13.0.3"] });
    assert.deepEqual(wrong, [`a.test points to 127.13.0.3 and not to App 1: set its DNS record to ${ours}.`]);
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
    test(`without an address is reported: ${error?.reason} of ${error?.name}`, async () => {
      const { wrong } = await look("a.test", error ? { error } : {});
      assert.match(wrong[0] ?? "", expected);
    });
  }

  test("of a server with an IPv6 address needs another record", async () => {
    const { wrong } = await look("a.test", { error: { reason: "missing", name: "a.test" } }, "2001:db8::1");
    assert.match(wrong[0] ?? "", /add an AAAA record with 2001:db8::1/);
  });
});
