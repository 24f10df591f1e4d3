import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { projectLayout } from "../../../host/layout.ts";
import { checkPages } from "../steps.ts";

// The script that servers run, in a directory of the test. It sends requests to port 80 of the server, which is not the test's: a
// stand-in replaces curl, or has curl send them to another port.

let root: string;
let site: string;
let other: string;
let requestsToOther = 0;

const siteServer = createServer(({ url = "/", headers }, response) => {
  if (url.startsWith("/private") && headers.authorization !== `Basic ${btoa("admin:secret")}`) {
    response.writeHead(401).end();
    return;
  }
  const locations: Record<string, string> = {
    "/moved": "/page",
    "/private": "/private/page",
    "/again": "http://Shop.test/page",
    "/other": other,
  };
  if (locations[url]) response.writeHead(302, { location: locations[url] }).end();
  else if (url === "/loop") response.writeHead(302, { location: "/loop" }).end();
  else response.end("The Harbour");
});
const otherServer = createServer((_, response) => {
  requestsToOther += 1;
  response.end("The Harbour");
});
const addressOf = async (server: typeof siteServer): Promise<string> => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

before(async () => {
  root = mkdtempSync(join(tmpdir(), "longshore-checks-"));
  site = await addressOf(siteServer);
  other = `http://${await addressOf(otherServer)}/`;
});
after(() => {
  siteServer.close();
  otherServer.close();
  rmSync(root, { recursive: true });
});

/** Checks a page, with the bash commands in `curl` instead of curl. */
async function check(curl: string, path = "/", user?: string): Promise<{ status: number; last: string | undefined }> {
  writeFileSync(join(root, "curl"), `#!/bin/bash\n${curl}\n`, { mode: 0o755 });
  const checked = { layout: projectLayout(7, root), name: "shop.test", isSecure: false, user };
  const { script } = checkPages(checked, [{ path, contains: "Harbour" }]);
  const env = { ...process.env, PATH: `${root}${delimiter}${process.env.PATH}`, TMPDIR: root, LONGSHORE_SECRETS: root };
  return new Promise((resolve) => {
    // Node's pipes are sockets, by which bash may take itself for a shell of a remote user, who has an rc file.
    execFile("bash", ["--norc", "-euo", "pipefail", "-c", script], { env }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, last: `${stdout}${stderr}`.trim().split("\n").at(-1) });
    });
  });
}

const printing = (body: string): string =>
  `while [[ $1 != --output ]]; do shift; done\n{ ${body}; } > "$2" && printf 200`;
const requesting = (path: string, user?: string) =>
  check(`PATH=\${PATH#*${delimiter}} exec curl --connect-to shop.test:80:${site} "$@"`, path, user);

describe("a look at a page of an application", () => {
  it("succeeds when the page has the text", async () => {
    assert.deepEqual(await check(printing("echo The Harbour")), { status: 0, last: "http://shop.test answers." });
    assert.equal((await check(printing("echo Another"))).status, 1);
  });

  it("reads no more of it than a page has", async () => {
    const { status, last } = await check(printing("echo The Harbour; head -c 100M /dev/zero"));
    assert.equal(status, 1);
    assert.match(last ?? "", /answers nothing/);
  });

  it("follows redirects within the site", async () => {
    for (const path of ["/page", "/moved", "/again"]) assert.equal((await requesting(path)).status, 0, path);
    assert.match((await requesting("/loop")).last ?? "", /answers 302/);
  });

  it("sends the site's password after a redirect within the site too", async () => {
    writeFileSync(join(root, "site-password"), "secret");
    assert.equal((await requesting("/private", "admin")).status, 0);
    assert.match((await requesting("/private")).last ?? "", /answers 401/);
  });

  it("follows no redirect to another service of the server", async () => {
    const { status, last } = await requesting("/other");
    assert.equal(status, 1);
    assert.equal(last, "http://shop.test/other answers 302.");
    assert.equal(requestsToOther, 0);
  });
});
