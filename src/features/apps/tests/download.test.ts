import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { projectLayout } from "../../../host/layout.ts";
import type { Artifact } from "../app.ts";
import { download, downloaded } from "../steps.ts";

// The script that servers run, in a directory of the test.

const content = "the archive";
let root: string;
let url: string;
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  if (request.url === "/missing") response.writeHead(404).end();
  else response.end(content);
});

before(async () => {
  root = mkdtempSync(join(tmpdir(), "longshore-download-"));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.close();
  rmSync(root, { recursive: true });
});

async function run(path: string, value: string): Promise<{ code: number; output: string; file: string; tool: string }> {
  const layout = projectLayout(7, root);
  const tool: Artifact = { file: "tool.phar", url, checksum: { algorithm: "sha256", value: right } };
  const artifact: Artifact = { file: "a.tar.gz", url: url + path, checksum: { algorithm: "sha256", value } };
  const { script } = download(layout, [tool, artifact], "the application");
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const [code] = (await once(child, "close")) as [number];
  return { code, output: output.trim(), file: downloaded(layout, artifact), tool: downloaded(layout, tool) };
}

const right = createHash("sha256").update(content).digest("hex");

describe("a download", () => {
  it("that has another checksum is not kept, and the step reports that", async () => {
    const { code, output, file, tool } = await run("/", "0".repeat(64));
    assert.notEqual(code, 0);
    assert.match(output.split("\n").at(-1) ?? "", /The checksum of a\.tar\.gz is not the one that belongs to it/);
    assert.ok(!existsSync(file) && !existsSync(`${file}.part`));
    assert.ok(existsSync(tool), "what came before it is right");
  });

  it("that the origin does not have fails with its answer", async () => {
    const { code, output } = await run("/missing", right);
    assert.notEqual(code, 0);
    assert.match(output, /could not be downloaded from .*404/);
  });

  it("with the right checksum is kept, and not repeated", async () => {
    const { code, file } = await run("/", right);
    assert.deepEqual([code, existsSync(file)], [0, true]);
    const before = requests;
    assert.equal((await run("/", right)).code, 0);
    assert.equal(requests, before);
  });
});
