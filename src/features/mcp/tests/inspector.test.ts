import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runCommand } from "../../../../sandbox/command.ts";
import { addProject, addProvisioned } from "../../deployments/tests/support.ts";
import { tools } from "../table.ts";
import { openStage, type Stage } from "./support.ts";

// The official inspector, which people try an endpoint with. It has 110 MB, so npm brings it for this test alone.

const inspector = "@modelcontextprotocol/inspector@2.12.0";

describe("the inspector's command line", { timeout: 300_000 }, () => {
  let stage: Stage;
  let directory: string;
  before(async () => {
    stage = await openStage();
    await addProject(stage.pool, await addProvisioned(stage, { name: "web-1" }));
    directory = await mkdtemp(join(tmpdir(), "longshore-inspector-"));
  });
  after(async () => {
    await stage?.close();
    if (directory) await rm(directory, { recursive: true });
  });

  async function inspect(...args: string[]): Promise<{ status: number | null; printed: string; stdout: string }> {
    const environment = [`PATH=${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, `HOME=${directory}`];
    const asked = ["--cli", `${stage.origin}/mcp`, "--transport", "http"];
    const header = ["--header", `Authorization: Bearer ${stage.cast.alice}`];
    const { exitCode, stdout, stderr } = await runCommand([
      ...["env", ...environment, "npm", "exec", "--yes", `--package=${inspector}`, "--", "mcp-inspector"],
      ...[...asked, ...header, ...args],
    ]);
    return { status: exitCode, printed: `${stdout}${stderr}`, stdout };
  }

  it("lists all tools", async () => {
    const { stdout, printed } = await inspect("--method", "tools/list");
    const listed = (JSON.parse(stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    assert.deepEqual(listed.toSorted(), tools.map(({ name }) => name).toSorted(), printed);
  });

  it("calls one", async () => {
    const { stdout, printed } = await inspect(
      ...["--method", "tools/call", "--tool-name", "get_project", "--tool-arg", "project=shop"],
    );
    const answer = JSON.parse(stdout) as { isError?: boolean; structuredContent: { name: string } };
    assert.equal(answer.isError ?? false, false, printed);
    assert.equal(answer.structuredContent.name, "shop");
  });
});
