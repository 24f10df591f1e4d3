import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createPlainServer, type Server } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { selfSigned } from "../../../../stage/self-signed.ts";
import { startMeilisearch } from "../../meilisearch/meilisearch.ts";
import { startNginx } from "../../nginx/setup.ts";
import { withPrelude } from "../../runner/prelude.ts";
import { lines, type Script, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";
import { requestFunctions } from "../request.ts";

describe("the server itself", () => {
  const directory = mkdtempSync(join(tmpdir(), "longshore-request-"));
  const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port;
  const listen = (server: TcpServer) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const throughProxy: string[] = [];
  const proxy = createPlainServer((asked, answer) => {
    throughProxy.push(asked.url ?? "");
    answer.writeHead(503).end();
  }).on("connect", ({ url }, socket) => {
    throughProxy.push(url ?? "");
    socket.destroy();
  });
  const plain = createPlainServer((asked, answer) => answer.writeHead(asked.url === "/health" ? 200 : 404).end());
  // Headers without an end, or with one that comes too late.
  const endless = createTcpServer((socket) => {
    const more = (): void => {
      while (socket.writable && socket.write("a: b\r\n".repeat(1000)));
    };
    const ending = setTimeout(() => socket.off("drain", more).end("Location: /too-late\r\n\r\n"), 60_000);
    socket.on("error", () => socket.destroy()).on("drain", more);
    socket.on("close", () => clearTimeout(ending));
    socket.write("HTTP/1.0 200 OK\r\n");
    more();
  });
  let site: Server;

  before(async () => {
    const { certificate, private_key: key } = await selfSigned(["shop.test"]);
    site = createServer({ cert: certificate, key }, ({ headers, url }, answer) =>
      answer.end(url === "/long" ? "x".repeat(10_000_000) : headers.host),
    );
    await Promise.all([site, proxy, plain, endless].map(listen));
  });
  after(() => {
    site.close();
    proxy.close();
    plain.close();
    endless.close();
    rmSync(directory, { recursive: true });
  });

  // The variables that a step gets from /etc/environment.
  const withProxy = (script: Script): Script =>
    lines(
      sh`export http_proxy=${`http://127.0.0.1:${portOf(proxy)}`} https_proxy=${`http://127.0.0.1:${portOf(proxy)}`}`,
      script,
    );

  const onItsPort = (): Script => ({
    script: requestFunctions.script
      .replaceAll(":443:", `:${portOf(site)}:`)
      .replace("https://$1$2", `https://$1:${portOf(site)}$2`),
  });

  test("is asked directly where the machine has a proxy", async () => {
    const { stdout, stderr } = await runBash(
      withProxy(lines(onItsPort(), sh`https_get shop.test / && echo "$status $body"`)),
      directory,
    );
    assert.deepEqual([stdout, stderr], [`200 shop.test:${portOf(site)}\n`, ""]);
    assert.deepEqual(throughProxy, []);
  });

  test("keeps only the beginning of a page", async () => {
    const { stdout, stderr } = await runBash(
      lines(onItsPort(), sh`https_get shop.test /long && echo "$status \${#body}"`),
      directory,
    );
    assert.deepEqual([stdout, stderr], ["200 4096\n", ""]);
  });

  test("reads headers without an end for a while only", async () => {
    const { stdout } = await runBash(
      lines(requestFunctions, sh`http_get ${portOf(endless)} shop.test / && echo "$status $location"`),
      directory,
    );
    assert.equal(stdout, "200 \n");
  });

  // The last part of the step, which sends requests until there is an answer.
  const asksAt = ({ script }: Script, own: string): Script => {
    const asking = script.slice(script.indexOf("for ((")).replace(own, `http://127.0.0.1:${portOf(plain)}/`);
    return withPrelude("It did not answer.", { script: asking });
  };

  test("is asked directly by the steps that start a service on it", async () => {
    for (const step of [asksAt(startNginx, "http://127.0.0.1/"), asksAt(startMeilisearch, "http://127.0.0.1:7700/")]) {
      const { code, stderr } = await runBash(withProxy(step), directory);
      assert.deepEqual([code, stderr], [0, ""]);
    }
    assert.deepEqual(throughProxy, []);
  });
});
