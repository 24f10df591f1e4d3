import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runCommand } from "../../../../sandbox/command.ts";
import { createFixture } from "./conformance-fixture.ts";
import { openStage, type Stage } from "./support.ts";

// The official suite needs tools, prompts and resources of its own. It runs once against these behind the endpoint's route, and once
// against the endpoint as it is, which fails the checks of what it does not have. What fails is listed, and the list may only get
// shorter.

const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const expectedFile = join(import.meta.dirname, "conformance-failures.txt");

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
}

/** `route`: the suite's own tools, prompts and resources behind the route; `endpoint`: the tools of the endpoint. */
const subjects = {
  route: () => openStage({}, async () => createFixture()),
  endpoint: () => openStage(),
};

for (const [subject, open] of Object.entries(subjects)) {
  describe(`the conformance suite on the ${subject}`, () => {
    let stage: Stage;
    let entrance: Server;
    let directory: string;
    before(async () => {
      stage = await open();
      entrance = await openEntrance(stage.origin, stage.cast.alice);
      directory = await mkdtemp(join(tmpdir(), "longshore-conformance-"));
    });
    after(async () => {
      entrance?.close();
      await stage?.close();
      if (directory) await rm(directory, { recursive: true });
    });

    for (const revision of ["2026-07-28", "2025-11-25"]) {
      it(`of ${revision} finds no other failures than those that are expected`, { timeout: 600_000 }, async () => {
        const found = (await failuresOf(entrance, revision, join(directory, revision))).map(
          (failure) => `${subject} ${revision} ${failure}`,
        );
        const expected = readFileSync(expectedFile, "utf8")
          .split("\n")
          .filter((line) => line.startsWith(`${subject} ${revision}`));
        assert.deepEqual(found, expected);
      });
    }
  });
}

async function failuresOf(entrance: Server, revision: string, results: string): Promise<string[]> {
  const url = `http://127.0.0.1:${(entrance.address() as AddressInfo).port}/mcp`;
  const asked = ["server", "--url", url, "--requirements", revision, "--timeout", "60000", "-o", results];
  // Its exit status says that there are failures. The programs of packages find Node through the path.
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const { stdout, stderr } = await runCommand([
    ...["env", `PATH=${path}`, "npm", "exec", "--yes", `--package=${suite}`, "--", "conformance"],
    ...asked,
  ]);
  assert.ok(globSync("**/checks.json", { cwd: results }).length > 20, `${stdout}${stderr}`);
  return failuresIn(results);
}

/** `scenario check STATUS`, sorted. */
function failuresIn(results: string): string[] {
  const failures = globSync("**/checks.json", { cwd: results }).flatMap((file) => {
    const scenario = dirname(file)
      .replace(/^server-/, "")
      .replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    const checks = JSON.parse(readFileSync(join(results, file), "utf8")) as Check[];
    return checks
      .filter(({ status }) => status === "FAILURE" || status === "WARNING")
      .map(({ id, status }) => `${scenario} ${id} ${status}`);
  });
  return [...new Set(failures)].toSorted();
}

/** The suite sends no credentials: this adds the token, and changes nothing else. */
async function openEntrance(origin: string, token: string): Promise<Server> {
  const { hostname, port } = new URL(origin);
  const entrance = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const sent = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    sent.on("error", () => answer.destroy());
    answer.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => entrance.listen(0, "127.0.0.1", resolve));
  return entrance;
}
