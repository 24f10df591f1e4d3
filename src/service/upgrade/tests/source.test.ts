import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createPlainServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { loadConfig } from "../../../config.ts";
import { keyToPem, newCertificateKey, selfSignedCertificate } from "../../../lib/x509.ts";
import { openSource, packagePath } from "../source.ts";

const content = "a package";
const sum = createHash("sha256").update(content).digest("hex");
const list = `${sum}  longshore-0.4.0.tgz\n${sum} *longshore-0.4.1.tgz\n${sum}  longshore-../../etc.tgz\nnonsense\n`;

let directory: string;
let target: string;
let server: Server;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-source-"));
  target = join(directory, "target");
  await mkdir(target);
  await writeFile(join(directory, "SHA256SUMS"), list);
  await writeFile(join(directory, "longshore-0.4.0.tgz"), content);
  await writeFile(join(directory, "longshore-0.4.1.tgz"), "another");
  const key = newCertificateKey();
  const [notBefore, notAfter] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
  const cert = selfSignedCertificate({ names: ["localhost"], key, notBefore, notAfter });
  setDefaultCACertificates([...getCACertificates(), cert]);
  server = createServer({ cert, key: keyToPem(key) }, async (request, answer) => {
    const [, redirect] = /^\/to\/(.*)\/SHA256SUMS$/.exec(request.url ?? "") ?? [];
    if (redirect) return answer.writeHead(302, { Location: decodeURIComponent(redirect) }).end();
    const text = await readFile(join(directory, request.url ?? "")).catch(() => undefined);
    answer.writeHead(text ? 200 : 404).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});

const addressOfServer = (): string => `https://localhost:${(server.address() as AddressInfo).port}`;

after(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

const places = {
  "a directory": () => directory,
  "a URL": () => `${addressOfServer()}/`,
};

for (const [name, place] of Object.entries(places)) {
  describe(`${name} as the source of new versions`, () => {
    it("has the packages that its list names", async () => {
      assert.deepEqual(await openSource(place()).versions(), ["0.4.0", "0.4.1"]);
    });

    it("gives a package", async () => {
      assert.equal(await readFile(await openSource(place()).fetch("0.4.0", target), "utf8"), content);
    });

    it("refuses one that is not what the list promises, and one that it lacks", async () => {
      await assert.rejects(openSource(place()).fetch("0.4.1", target), /longshore-0\.4\.1\.tgz is damaged/);
      await assert.rejects(openSource(place()).fetch("0.4.2", target), /has no longshore-0\.4\.2\.tgz/);
    });

    it("that does not answer is named", async () => {
      await assert.rejects(openSource(`${place().replace(/\/$/, "")}/none`).versions(), /none\/SHA256SUMS/);
    });
  });
}

describe("a source without TLS", () => {
  it("is refused, as a setting too", () => {
    for (const place of ["http://updates.example.com", "http://127.0.0.1:8000/", "ftp://updates.example.com"]) {
      assert.throws(() => openSource(place), /https:\/\//);
      assert.throws(() => loadConfig({ LONGSHORE_UPDATE_SOURCE: place }), /LONGSHORE_UPDATE_SOURCE must be/);
    }
  });

  it("is not reached through a redirect, while another one with TLS is", async () => {
    let requests = 0;
    const plain = createPlainServer((_, answer) => {
      requests++;
      answer.end(list);
    }).listen(0, "127.0.0.1");
    await once(plain, "listening");
    const redirectTo = (url: string) => `${addressOfServer()}/to/${encodeURIComponent(url)}`;
    try {
      const unsafe = redirectTo(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/SHA256SUMS`);
      await assert.rejects(openSource(unsafe).versions(), /others could change/);
      assert.equal(requests, 0);
    } finally {
      plain.close();
    }
    const safe = redirectTo(`${addressOfServer()}/SHA256SUMS`);
    assert.deepEqual(await openSource(safe).versions(), ["0.4.0", "0.4.1"]);
  });

  it("is no package file", () => {
    assert.throws(() => packagePath("http://updates.example.com/longshore-0.4.0.tgz"), /--from takes a package file/);
    assert.equal(packagePath("longshore-0.4.0.tgz"), resolve("longshore-0.4.0.tgz"));
  });
});

describe("npm as the source of new versions", () => {
  const path = process.env.PATH;

  /** Puts a program in the place of npm. */
  async function npmIs(script: string, registry = "https://registry.example.com/"): Promise<void> {
    const bin = join(directory, "bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "npm"), `#!/bin/sh\n[ "$1" != config ] || exec echo "${registry}"\n${script}\n`);
    await chmod(join(bin, "npm"), 0o755);
    process.env.PATH = `${bin}${delimiter}${path}`;
  }

  after(() => {
    process.env.PATH = path;
  });

  /** npm of a registry that states the integrity of `content`, and has a package that holds `packed`. */
  const packing = (packed: string): string => `[ "$2" = longshore@0.4.0 ] || exit 1
    if [ "$1" = view ]; then exec echo '"sha512-${createHash("sha512").update(content).digest("base64")}"'; fi
    for last; do :; done
    printf %s "${packed}" >"$last/longshore-0.4.0.tgz"
    echo longshore-0.4.0.tgz`;

  it("is asked for the versions", async () => {
    await npmIs(`[ "$1 $2 $3" = "view longshore versions" ] && echo '["0.3.0", "0.4.0", "latest"]'`);
    assert.deepEqual(await openSource(undefined).versions(), ["0.3.0", "0.4.0"]);
    await npmIs(`echo '"0.3.0"'`);
    assert.deepEqual(await openSource(undefined).versions(), ["0.3.0"]);
  });

  it("is asked for the package", async () => {
    await npmIs(packing(content));
    assert.equal(await openSource(undefined).fetch("0.4.0", target), join(target, "longshore-0.4.0.tgz"));
  });

  it("is refused a package with another integrity than the registry states, or with none", async () => {
    await npmIs(packing("another"));
    await assert.rejects(openSource(undefined).fetch("0.4.0", target), /integrity/);
    await npmIs(packing(content).replace(/sha512-[^"]*/, ""));
    await assert.rejects(openSource(undefined).fetch("0.4.0", target), /integrity/);
  });

  it("is not asked if its registry has no TLS", async () => {
    await npmIs(`echo '["0.3.0"]'`, "http://registry.example.com/");
    await assert.rejects(openSource(undefined).versions(), /http:\/\/registry\.example\.com/);
  });

  it("that fails is quoted", async () => {
    await npmIs(`echo "npm error code E404" >&2; exit 1`);
    await assert.rejects(openSource(undefined).versions(), /npm error code E404/);
  });
});
