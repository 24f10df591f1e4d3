import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { commands } from "../../cli/src/commands.ts";
import { rows, sql } from "../../src/db/sql.ts";
import { browserOf } from "../../src/features/accounts/tests/support.ts";
import { addProject, addProvisioned } from "../../src/features/deployments/tests/support.ts";
import { call } from "../../src/http/tests/support.ts";
import {
  type ClientStage,
  environment,
  makeLive,
  openClientStage,
  SimulatedDeployment,
  startProgram,
} from "./support.ts";

// What the documents about the command line show is run as it stands, except for names that are only examples.

const root = join(import.meta.dirname, "../..");
const program = join(root, "cli/src/main.ts");

let stage: ClientStage;
let worker: NodeJS.Timeout;
const handled = new Set<number>();

/** Carries out whatever is queued, as servers do. */
async function work(): Promise<void> {
  const queued = await rows<{ id: number }>(stage.pool, sql`select id from deployments where status = 0 order by id`);
  for (const { id } of queued) {
    if (handled.has(id)) continue;
    handled.add(id);
    const deployment = new SimulatedDeployment(stage, id);
    await deployment.begin().then(
      () => deployment.end("succeeded", "", "c"),
      () => handled.delete(id),
    );
  }
}

before(async () => {
  stage = await openClientStage();
  const blog = await addProject(stage.pool, stage.server);
  const second = await addProvisioned(stage);
  await stage.pool.query("update projects set name = 'blog' where id = $1", [blog]);
  await stage.pool.query("update servers set name = 'web-2' where id = $1", [second]);
  await makeLive(stage, "a");
  await makeLive(stage, "b");
  for (const [file, text] of [
    [".env", "MODE=production\n"],
    ["key.txt", "s3cret\n"],
    ["dump.sql.gz", ""],
  ] as const) {
    await writeFile(join(stage.folder, file), text);
  }
  const turn = async () => {
    await work();
    worker = setTimeout(turn, 100);
  };
  await turn();
});
after(async () => {
  clearTimeout(worker);
  await stage?.close();
});

/** Runs a line of a document; what is an example in it becomes what the test has. */
function run(line: string, more: Record<string, string> = {}) {
  const real = line
    .replaceAll("https://panel.example.com", stage.origin)
    .replaceAll("panel.example.com", new URL(stage.origin).host);
  const script = `longshore() { '${process.execPath}' '${program}' "$@"; }\n${real.replaceAll("Harbour", "Acme")}`;
  const env = { ...environment(stage), TOKEN: stage.cast.adam, ...more };
  return startProgram(["bash", "-c", script], { env, cwd: stage.folder, input: "" });
}

async function approve(code: string): Promise<void> {
  const headers = await browserOf(stage.ctx, stage.cast.userIds.alice);
  const body = { name: "docs", permissions: ["project:read"], organization_id: stage.cast.organizationId };
  await call(stage.app, `POST /api/v1/device-authorizations/${code}/approve`, { headers, body });
}

const examples = commands.flatMap(({ words, examples: own }) => own.map((example) => ({ words, ...example })));
/** Signing out ends what the others need. */
const inOrder = [
  ...examples.filter(({ words }) => words !== "logout"),
  ...examples.filter(({ words }) => words === "logout"),
];

describe("the examples of docs/cli.md", () => {
  for (const { line, status = 0, needsServer } of inOrder) {
    if (needsServer) continue;
    it(line, async () => {
      const running = run(line);
      if (line === "longshore login https://panel.example.com") {
        const codeOf = (text: string) => /^ {2}([A-Z]{4}-[A-Z]{4})$/m.exec(text)?.[1];
        await running.until(({ stderr }) => codeOf(stderr) !== undefined);
        await approve(codeOf(running.output().stderr) ?? "");
      }
      const ended = await running.ended;
      assert.equal(ended.status, status, ended.stderr);
    });
  }
});

/** The blocks of code of a document. */
function blocksOf(file: string, language: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm")),
    ([, block = ""]) => block,
  );
}

/** The lines that a pipeline runs, in any of the three formats. */
const stepsOf = (block: string): string[] =>
  Array.from(block.matchAll(/^\s*- (?:run: )?((?:sh|longshore) .*)$/gm), ([, line = ""]) => line);

const hosts = { GITHUB_SHA: "d", CI_COMMIT_SHA: "e", BITBUCKET_COMMIT: "f" };

describe("the files of docs/ci.md", () => {
  const pipelines = blocksOf("docs/ci.md", "yaml");

  it("are two for each of three git hosts, without tabs", () => {
    assert.equal(pipelines.length, 6);
    assert.equal(pipelines.flatMap(stepsOf).length, 6);
    for (const pipeline of pipelines) assert.ok(!pipeline.includes("\t"));
  });

  it("have a script that a shell accepts", async () => {
    const [script = ""] = blocksOf("docs/ci.md", "sh");
    await writeFile(join(stage.folder, "deploy.sh"), script);
    execFileSync("shellcheck", [join(stage.folder, "deploy.sh")]);
  });

  for (const line of pipelines.flatMap(stepsOf)) {
    it(`deploy with: ${line}`, async () => {
      const variables = Object.fromEntries(Object.entries(hosts).map(([name, digit]) => [name, digit.repeat(40)]));
      const before = Number(
        (await rows<{ id: number }>(stage.pool, sql`select max(id) as id from deployments`))[0]?.id,
      );
      const { status, stderr } = await run(line, variables).ended;
      assert.equal(status, 0, stderr);
      const made = await rows<{ id: number }>(stage.pool, sql`select id from deployments where id > ${before}`);
      assert.ok(made.length <= 1);
    });
  }

  it("fail when the deployment fails", async () => {
    const { status } = await run('sh deploy.sh 999 "$GITHUB_SHA"', { GITHUB_SHA: "d".repeat(40) }).ended;
    assert.notEqual(status, 0);
  });
});
