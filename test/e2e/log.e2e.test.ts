import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { after, before, it } from "node:test";
import {
  deployToEnd,
  endOf,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  waiting,
} from "../../stage/support.ts";

const secret = "s3cr3t-value-that-must-stay-hidden";
const lines = 1_000_000;
const width = 100;
/** Longer than one read, and without a newline; the secret is everywhere in it. */
const longLine = 400_000;

const build = `
  awk 'BEGIN { for (n = 1; n <= ${lines}; n++) printf "%07d %s\\n", n, "${"x".repeat(width - 9)}" }'
  while ((\${#long} < ${longLine})); do long+="\${long:+ $RANDOM$RANDOM }$TOKEN"; done
  printf '%s' "$long"
`;

let stage: Stage;
let project: Project;
let deploymentId: number;

before(async () => {
  stage = await openStage("log");
  project = await install(stage, {
    name: "chatty",
    commands: { install: "", build: "bash build.sh" },
    files: { "index.html": "page\n", "build.sh": "echo built\n" },
    more: { environment_variables: `TOKEN=${secret}` },
  });
  await stage.git.commit("chatty", { files: { "build.sh": build } });
  deploymentId = (await deployToEnd(stage, project, { ...waiting, timeoutMs: 1_500_000 })).id;
}, lengthy);

after(() => stage?.close());

it("a build that prints 100 MB succeeds, and every line of it can be downloaded, in order", async () => {
  const { status, error } = await endOf(stage, deploymentId);
  assert.equal(status, 1, `${error}`);
  const log = await stage.client("GET /api/v1/deployments/{id}/log.txt", {
    params: { id: deploymentId },
    signal: AbortSignal.timeout(waiting.timeoutMs),
  });
  let next = 1;
  let longest = "";
  for await (const line of createInterface({ input: Readable.fromWeb(log as never) })) {
    if (/^\d{7} x+$/.test(line)) {
      assert.equal(line.length, width - 1);
      assert.equal(Number(line.slice(0, 7)), next++);
    }
    if (line.length > longest.length) longest = line;
  }
  assert.equal(next, lines + 1);
  assert.ok(longest.length > longLine / 4);
  assert.match(longest, /^(\*{8}( \d+ )?)+$/);
});

it("its record shows the beginning and the end, and a page of the log is a page", async () => {
  const { output } = await endOf(stage, deploymentId);
  const shown = output.client_payload;
  assert.equal(shown[0]?.slice(0, 7), "0000001");
  assert.ok(shown.some((line) => line.includes("bytes are left out here")));
  assert.ok(JSON.stringify(shown).length < 2 << 20);
  assert.ok(!JSON.stringify(output).includes(secret));
  const { data, has_more } = await stage.client("GET /api/v1/deployments/{id}/log", {
    params: { id: deploymentId },
    query: { after: 50_000_000, limit: 100_000 },
  });
  const bytes = data.reduce((sum, { text }) => sum + text.length, 0);
  assert.ok(bytes >= 100_000 && bytes < 200_000 && has_more, `${bytes} bytes`);
});
