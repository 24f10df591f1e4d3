import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, describe, it } from "node:test";
import { readClient, Unusable } from "../client-document.ts";
import { openProgramSite, type ProgramSite, sendDocument } from "./support.ts";

let site: ProgramSite;
before(async () => {
  site = await openProgramSite();
});
after(() => site?.close());

const read = (id: string, monitorAllow: string[] = ["127.0.0.1", "::1"]) => readClient({ monitorAllow }, id);

const refuses = async (id: string, reason: RegExp, monitorAllow?: string[]): Promise<void> => {
  await assert.rejects(
    () => read(id, monitorAllow),
    (error) => {
      assert.ok(error instanceof Unusable, String(error));
      assert.match(error.message, reason, id);
      return true;
    },
  );
};

const complete = (id: string) => ({ client_id: id, client_name: "Assistant", redirect_uris: [site.callback] });

describe("the document of a program", () => {
  it("names the program and its addresses", async () => {
    const client = await read(site.clientId);
    assert.deepEqual([client.id, client.name, client.redirectUris[0]], [site.clientId, "Assistant", site.callback]);
  });

  const answers: Record<string, [(response: ServerResponse, id: string) => void, RegExp]> = {
    "is of another program": [
      (response) => sendDocument(response, complete("https://assistant.example.net/client.json")),
      /does not describe this program/,
    ],
    "names no program": [
      (response) => sendDocument(response, { redirect_uris: [site.callback] }),
      /does not describe this program/,
    ],
    "is a list": [(response) => sendDocument(response, ["x"]), /does not describe this program/],
    "is not JSON inside": [
      (response) => response.writeHead(200, { "Content-Type": "application/json" }).end("<html>"),
      /does not describe this program/,
    ],
    "is a page": [
      (response, id) => response.writeHead(200, { "Content-Type": "text/html" }).end(JSON.stringify(complete(id))),
      /is not JSON/,
    ],
    "is missing": [(response) => response.writeHead(404).end(), /answered 404/],
    "is elsewhere": [
      (response) => response.writeHead(302, { Location: site.clientId }).end(),
      /answered 302, and redirects are not followed/,
    ],
    "is too large": [
      (response, id) => sendDocument(response, { ...complete(id), more: "x".repeat(65_536) }),
      /too large/,
    ],
    "never ends": [
      (response) => response.writeHead(200, { "Content-Type": "application/json" }).write("{"),
      /did not answer within 5 seconds/,
    ],
    "breaks off": [(response) => response.destroy(), /closed the connection/],
  };
  for (const [name, [answer, reason]] of Object.entries(answers)) {
    it(`is refused if it ${name}`, async () => {
      const requests = site.requests.length;
      await refuses(site.add("other.json", answer), reason);
      assert.deepEqual(site.requests.slice(requests), ["/other.json"]);
    });
  }

  it("is not read in a private network, by name or by address", async () => {
    const requests = site.requests.length;
    const { port } = new URL(site.clientId);
    await refuses(site.clientId, /private or reserved/, []);
    for (const host of ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "10.0.0.1", "169.254.169.254", "[fd00:ec2::254]"]) {
      await refuses(`https://${host}:${port}/client.json`, /private or reserved/, []);
    }
    assert.equal(site.requests.length, requests);
  });

  it("is at an https address in its one spelling", async () => {
    const requests = site.requests.length;
    for (const id of [
      site.clientId.replace("https:", "http:"),
      site.clientId.replace("localhost", "LOCALHOST"),
      site.clientId.replace("/client.json", "/x/../client.json"),
      site.clientId.replace("/client.json", "/"),
      site.clientId.replace("/client.json", ""),
      site.clientId.replace("https://", "https://user@"),
      `${site.clientId}#x`,
      ` ${site.clientId}`,
      `${site.clientId}?${"x".repeat(2_000)}`,
      "urn:assistant",
      "assistant",
      "",
    ]) {
      await refuses(id, /id of a program/);
    }
    assert.equal(site.requests.length, requests);
  });

  it("needs a certificate that is trusted", async () => {
    await refuses(site.clientId.replace("localhost", "127.0.0.1"), /certificate for another name/);
  });
});
