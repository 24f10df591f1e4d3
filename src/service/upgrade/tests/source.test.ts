import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openSource } from "../source.ts";

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
  server = createServer(async (request, answer) => {
    const text = await readFile(join(directory, request.url ?? "")).catch(() => undefined);
    answer.writeHead(text ? 200 : 404).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});

after(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

const places = {
  "a directory": () => directory,
  "a URL": () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
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

describe("npm as the source of new versions", () => {
  const path = process.env.PATH;

  /** Puts a program in the place of npm. */
  async function npmIs(script: string): Promise<void> {
    const bin = join(directory, "bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "npm"), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, "npm"), 0o755);
    process.env.PATH = `${bin}${delimiter}${path}`;
  }

  after(() => {
    process.env.PATH = path;
  });

  it("is asked for the versions", async () => {
    await npmIs(`[ "$1 $2 $3" = "view longshore versions" ] && echo '["0.3.0", "0.4.0", "latest"]'`);
    assert.deepEqual(await openSource(undefined).versions(), ["0.3.0", "0.4.0"]);
    await npmIs(`echo '"0.3.0"'`);
    assert.deepEqual(await openSource(undefined).versions(), ["0.3.0"]);
  });

  it("is asked for the package", async () => {
    await npmIs(
      `[ "$2" = longshore@0.4.0 ] && for last; do :; done && echo x >"$last/longshore-0.4.0.tgz" && echo longshore-0.4.0.tgz`,
    );
    assert.equal(await openSource(undefined).fetch("0.4.0", target), join(target, "longshore-0.4.0.tgz"));
  });

  it("that fails is quoted", async () => {
    await npmIs(`echo "npm error code E404" >&2; exit 1`);
    await assert.rejects(openSource(undefined).versions(), /npm error code E404/);
  });
});
