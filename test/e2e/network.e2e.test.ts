import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { cutNetwork, healNetwork } from "../../sandbox/sandbox.ts";
import { deploy, waitFor } from "../../stage/api-client.ts";
import { bodyOf, endOf, install, lengthy, openStage, type Project, type Stage } from "../../stage/support.ts";

// The length of the cut is tested: this pause does not wait for anything.
const cutMs = 30_000;
const lines = 1_200;

let stage: Stage;
let project: Project;

before(async () => {
  stage = await openStage("network");
  project = await install(stage, {
    name: "site",
    files: { "index.html": "version 1\n", "build.sh": "echo built\n" },
    commands: { build: "bash build.sh" },
  });
}, lengthy);

after(() => stage?.close());

const writtenLines = async () =>
  Number(await stage.bash("cat /var/lib/longshore/runs/*/journal | grep -c 'of the build'"));

it("a deployment continues while its server cannot be reached, and its log is whole", async () => {
  const build = `for ((n = 1; n <= ${lines}; n++)); do echo "line $n of the build"; sleep 0.03; done\n`;
  await stage.git.commit(project.name, { files: { "index.html": "version 2\n", "build.sh": build } });
  const id = await deploy(stage.client, project.id);
  await waitFor(
    "the build to be at work",
    async () => {
      const { output } = await stage.client("GET /api/v1/deployments/{id}", { params: { id } });
      return output.client_payload.length > 20;
    },
    { timeoutMs: 120_000 },
  );
  await cutNetwork(stage.server.name);
  const before = await writtenLines();
  await pause(cutMs);
  // It continued during the cut.
  const after = await writtenLines();
  await healNetwork(stage.server.name);
  assert.ok(after - before > 100, `${after - before} lines were written during the cut`);
  const ended = await endOf(stage, id);
  assert.equal(ended.status, 1, ended.error ?? "");
  assert.deepEqual(
    ended.output?.client_payload,
    Array.from({ length: lines }, (_, at) => `line ${at + 1} of the build`),
  );
  assert.equal(await bodyOf(stage, project), "version 2\n");
});
