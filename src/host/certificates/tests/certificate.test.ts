import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createServer as createTlsServer, type Server } from "node:tls";
import { selfSigned } from "../../../../stage/self-signed.ts";
import { projectLayout } from "../../layout.ts";
import { runBash } from "../../tests/bash.ts";
import { certificateFiles, checkServedCertificate } from "../certificate.ts";

describe("the check of what is served", () => {
  const directory = mkdtempSync(join(tmpdir(), "longshore-certificate-"));
  const layout = projectLayout(1, directory);
  let web: Server;

  before(async () => {
    const [served, other] = [await selfSigned(["shop.test"]), await selfSigned(["shop.test"])];
    web = createTlsServer({ cert: served.certificate, key: served.private_key }, (socket) => socket.end());
    web.on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    for (const [version, { certificate }] of [
      [1, served],
      [2, other],
    ] as const) {
      mkdirSync(join(layout.certificates, String(version)), { recursive: true });
      writeFileSync(certificateFiles(layout, version).certificate, certificate);
    }
  });
  after(() => {
    web.close();
    rmSync(directory, { recursive: true });
  });

  /** Stands in front of the web server, and closes the first connections. */
  const door = async (hangsUp: number) => {
    let left = hangsUp;
    const server = createServer((visitor: Socket) => {
      visitor.on("error", () => undefined);
      if (left-- > 0) return visitor.resetAndDestroy();
      const inside = connect((web.address() as AddressInfo).port, "127.0.0.1");
      inside.on("error", () => visitor.destroy());
      visitor.pipe(inside).pipe(visitor);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  };
  const check = (version: number, port: number) => {
    const { script } = checkServedCertificate(layout, version, ["shop.test"]);
    const sooner = script.replace("= 40", "= 4").replace("127.0.0.1:443", `127.0.0.1:${port}`);
    return runBash({ script: sooner }, directory);
  };

  test("asks again when the web server hangs up, or is not there for an instant", async (t) => {
    const server = await door(3);
    t.after(() => server.close());
    const { code, stdout, stderr } = await check(1, (server.address() as AddressInfo).port);
    assert.deepEqual([code, stdout, stderr], [0, "The web server shows the certificate for shop.test.\n", ""]);
  });

  test("reports in the end what is shown: nothing, or another one", async (t) => {
    const server = await door(Number.POSITIVE_INFINITY);
    t.after(() => server.close());
    const none = await check(1, (server.address() as AddressInfo).port);
    assert.deepEqual([none.code, none.stderr], [1, "The web server shows no certificate for shop.test.\n"]);
    const other = await check(2, (web.address() as AddressInfo).port);
    assert.deepEqual([other.code, other.stderr], [1, "The web server shows another certificate for shop.test.\n"]);
  });

  test("fails when its own certificate cannot be read, also when the web server shows none", async (t) => {
    mkdirSync(join(layout.certificates, "3"));
    writeFileSync(certificateFiles(layout, 3).certificate, "no certificate\n");
    const server = await door(Number.POSITIVE_INFINITY);
    t.after(() => server.close());
    const { code, stdout, stderr } = await check(3, (server.address() as AddressInfo).port);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(stderr, "It could not be seen which certificate the web server shows.\n");
  });
});
