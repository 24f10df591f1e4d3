import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { projectLayout, releaseDirectory } from "../../../host/layout.ts";
import type { AppWork } from "../app.ts";
import { makeRelease, type NpmService, npmVersion, pruneStore } from "../npm.ts";
import { readAddress } from "../steps.ts";

// The scripts that servers run, in a directory of the test, with npm and a registry that has one package. pnpm itself is only in
// the npm registry, so a stand-in replaces it and records what it would install.

let root: string;
let archive: Buffer;
let registry: string;

const integrityOf = (content: Buffer | string) => `sha512-${createHash("sha512").update(content).digest("base64")}`;

const server = createServer((request, response) => {
  if (request.url?.endsWith(".tgz")) return response.end(archive);
  const dist = { tarball: `${registry}/harbour.tgz`, integrity: integrityOf(archive) };
  const versions = { "1.0.0": { name: "harbour", version: "1.0.0", dist } };
  response.end(JSON.stringify({ name: "harbour", "dist-tags": { latest: "1.0.0" }, versions }));
});

before(async () => {
  root = mkdtempSync(join(tmpdir(), "longshore-npm-"));
  mkdirSync(join(root, "package"));
  writeFileSync(join(root, "package/package.json"), JSON.stringify({ name: "harbour", version: "1.0.0" }));
  spawnSync("tar", ["-czf", join(root, "harbour.tgz"), "-C", root, "package"]);
  archive = readFileSync(join(root, "harbour.tgz"));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.close();
  rmSync(root, { recursive: true });
});

let projects = 0;
let work: AppWork;

const directory = () => releaseDirectory(work.layout, work.release);

beforeEach(() => {
  const layout = projectLayout(++projects, join(root, String(projects)));
  work = {
    layout,
    release: 1,
    version: npmVersion("harbour", "1.0.0", { integrity: integrityOf(archive), sizeMb: 1, node: "24.0" }),
    tools: [],
    domain: "shop.test",
    texts: {},
    database: undefined,
    ports: undefined,
  };
  mkdirSync(directory(), { recursive: true });
  mkdirSync(layout.shared, { recursive: true });
});

async function run(script: string): Promise<{ code: number; output: string }> {
  const env = { ...process.env, npm_config_registry: registry, HOME: root };
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

const installed = (installer: NpmService["installer"]) => {
  const service: NpmService = { name: "harbour", installer, command: () => "exec node ." };
  const step = makeRelease(work, service).find(({ key }) => key === "npm-install");
  return run(step?.script ?? "");
};

/** Writes pnpm's files into a release, then runs `more`. */
function putPnpm(integrity: string, more = ":"): void {
  const program = `node_modules/@pnpm/exe.linux-${process.arch}`;
  const home = join(work.layout.cache, "apps/pnpm");
  mkdirSync(join(home, program), { recursive: true });
  writeFileSync(
    join(home, "package-lock.json"),
    JSON.stringify({ packages: { [program]: { version: "12.4.2", integrity } } }),
  );
  writeFileSync(join(home, program, "pnpm"), `#!/bin/bash\nmkdir -p node_modules/.pnpm\n${more}\n`, { mode: 0o755 });
}

const pinned = /sha512-[\w+/]{86}==/.exec(readFileSync(new URL("../npm.ts", import.meta.url), "utf8"))?.[0];

const recorded = (integrity: string) => `
  mkdir -p node_modules/harbour
  echo '{"version": "1.0.0"}' > node_modules/harbour/package.json
  printf '  harbour@1.0.0:\\n    resolution: {integrity: %s}\\n' '${integrity}' > pnpm-lock.yaml`;

const isOther = /The checksum of harbour 1\.0\.0 is not the one that belongs to it/;

describe("a package from npm", () => {
  it("is installed when its integrity is the one that Longshore ships", async () => {
    const { code, output } = await installed("npm");
    assert.equal(code, 0, output);
    assert.match(output, /^Version 1\.0\.0$/m);
    assert.ok(existsSync(join(directory(), "node_modules/harbour/package.json")));
  });

  it("is refused when the registry has another one of that version", async () => {
    work = {
      ...work,
      version: npmVersion("harbour", "1.0.0", { integrity: integrityOf("x"), sizeMb: 1, node: "24.0" }),
    };
    putPnpm(pinned ?? "", recorded(integrityOf(archive)));
    for (const installer of ["npm", "pnpm", "lock-file"] as const) {
      const { code, output } = await installed(installer);
      assert.notEqual(code, 0, installer);
      assert.match(output, isOther, installer);
    }
  });

  it("is installed by pnpm, below node_modules or by the lock file that it ships", async () => {
    putPnpm(pinned ?? "", recorded(integrityOf(archive)));
    for (const installer of ["pnpm", "lock-file"] as const) {
      const { code, output } = await installed(installer);
      assert.equal(code, 0, `${installer}: ${output}`);
      assert.match(output, /^Version 1\.0\.0$/m);
    }
    assert.ok(existsSync(join(directory(), "package.json")));
    assert.ok(!existsSync(join(work.layout.cache, "apps/package")), "what was unpacked goes");
  });

  it("leaves pnpm's store when no release has it any more", async () => {
    const store = join(work.layout.cache, "apps/pnpm-store/v11");
    const files = join(store, "files/00");
    mkdirSync(files, { recursive: true });
    for (const name of ["files/00/served", "files/00/former", "index.db"]) writeFileSync(join(store, name), "");
    linkSync(join(files, "served"), join(directory(), "served"));
    const { code, output } = await run(pruneStore(work).script);
    assert.equal(code, 0, output);
    assert.deepEqual([readdirSync(files), existsSync(join(store, "index.db"))], [["served"], true]);
  });

  it("is not installed by a pnpm that Longshore does not ship", async () => {
    putPnpm(integrityOf("another"), `touch '${root}/was-run'`);
    const { code, output } = await installed("pnpm");
    assert.notEqual(code, 0);
    assert.match(output, /The checksum of pnpm/);
    assert.ok(!existsSync(join(root, "was-run")));
  });
});

describe("the address of an application", () => {
  it("is the one that the site has when a process starts", async () => {
    const { layout } = work;
    const service: NpmService = {
      name: "harbour",
      installer: "npm",
      command: () => 'echo "$0 $PORT $ADDRESS $MAIL"; env',
    };
    await run(makeRelease(work, service).find(({ key }) => key === "write-start")?.script ?? "");
    mkdirSync(layout.state, { recursive: true });
    writeFileSync(join(layout.shared, "environment"), "MAIL='a b'\n");
    for (const address of ["http://shop.test", "https://www.shop.test"]) {
      writeFileSync(layout.names, `${address}\nshop.test\n`);
      const { output } = await run(`bash '${directory()}/.longshore/start' 20000`);
      assert.match(output, new RegExp(`^\\S+ 20000 ${address} a b$`, "m"));
      assert.match(output, new RegExp(`^ADDRESS=${address}$`, "m"), "programs that it starts know it");
    }
  });

  it("is reported for the process that is started next", async () => {
    const facts = join(root, "facts");
    mkdirSync(work.layout.state, { recursive: true });
    writeFileSync(work.layout.names, "https://shop.test\nshop.test\n");
    const { code, output } = await run(`LONGSHORE_FACTS='${facts}'\n${readAddress(work.layout).script}`);
    assert.equal(code, 0, output);
    assert.equal(readFileSync(facts, "utf8"), "address https://shop.test\n");
  });
});
