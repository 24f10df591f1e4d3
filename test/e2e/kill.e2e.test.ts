import assert from "node:assert/strict";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openPool } from "../../src/db/pool.ts";
import { type Api, api, deploy, firstDeployment, waitFor } from "../../stage/api-client.ts";
import { startProcess } from "../../stage/fixture.ts";
import {
  bodyOf,
  createProject,
  endOf,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  startVisitor,
  stateOf,
  waiting,
} from "../../stage/support.ts";
import { killControlPlane } from "./control-plane.ts";

// For kills at each single step, see matrix. Here kills come at any moment, also before a run was begun or reported,
// with everything at once.
const kills = 8;
const lines = 60;
/** A deployment takes about two seconds; the kill happens at any moment during it, or before it begins. */
const longestDelayMs = 2_500;

const seed = Number(process.env.LONGSHORE_TEST_SEED || Date.now() % 1_000_000);
const random = mulberry32(seed);

let stage: Stage;
let projects: Project[];
let client: Api;
let processes: { pid: number; stop(): Promise<void> };

const build = `for ((n = 1; n <= ${lines}; n++)); do echo "line $n of the build"; sleep 0.02; done\n`;
const server = `
  const { readFileSync } = require("node:fs");
  const version = readFileSync("version.txt");
  require("node:http").createServer((_, response) => response.end(version)).listen(process.env.PORT, "127.0.0.1");
`;

/** The same for each family, except for what makes its page. */
const samples = [
  { name: "static", frameworkId: 10, files: (version: string) => ({ "index.html": version }) },
  {
    name: "php",
    frameworkId: 4,
    files: (version: string) => ({
      "public/index.php": '<?php readfile(__DIR__ . "/../version.txt");',
      "version.txt": version,
    }),
  },
  {
    name: "node",
    frameworkId: 8,
    files: (version: string) => ({ "server.js": server, "version.txt": version }),
    commands: { install: "true", dev: "node server.js" },
  },
];

before(async () => {
  stage = await openStage("kill");
  client = stage.client;
  processes = stage.platform;
  projects = await Promise.all(
    samples.map(({ files, name, frameworkId, commands }) =>
      install(stage, {
        name,
        frameworkId,
        files: { ...files("version 0\n"), "build.sh": build },
        commands: { ...commands, build: "bash build.sh" },
      }),
    ),
  );
}, lengthy);

after(async () => {
  await processes?.stop();
  await stage?.close();
});

it(`deployments survive ${kills} kills of the whole control plane (seed ${seed})`, lengthy, async (t) => {
  t.diagnostic(`LONGSHORE_TEST_SEED=${seed}`);
  const visitors = projects.map((project) => startVisitor(stage, project, (body) => /^version \d+\n$/.test(body)));
  try {
    for (let kill = 1; kill <= kills; kill++) await surviveKill(kill);
  } finally {
    const results = await Promise.all(visitors.map((visitor) => visitor.stop()));
    if (results.some(({ wrong }) => wrong.length > 0)) t.diagnostic(await errorsOfNginx());
    assert.deepEqual(
      results.map(({ wrong }) => wrong),
      projects.map(() => []),
    );
    t.diagnostic(`${results.reduce((all, { visits }) => all + visits, 0)} visits, all answered`);
  }
});

it("restored from an older backup, it takes nothing of a project that was made since", lengthy, async () => {
  const { dataDirectory } = stage.platform;
  const backup = join(stage.directory, "backup");
  await processes.stop();
  await cp(dataDirectory, backup, { recursive: true });
  await restart();
  const lost = await install({ ...stage, client }, { name: "lost", files: { "index.html": "lost" } });
  const state = await stateOf(stage, lost);
  await processes.stop();
  await rm(dataDirectory, { recursive: true });
  await cp(backup, dataDirectory, { recursive: true });
  await restart();
  const next = await install({ ...stage, client }, { name: "next", files: { "index.html": "next" } });
  assert.ok(next.id > lost.id, `${next.id} after ${lost.id}`);

  // Even a number that is given again is refused on the server, and a deletion takes nothing either.
  const { url } = JSON.parse(await readFile(join(dataDirectory, "lock"), "utf8")) as { url: string };
  const pool = openPool(url, { max: 1 });
  try {
    await pool.query("select setval('projects_id_seq', $1)", [lost.id - 1]);
    await stage.git.createRepository("twin", { files: { "index.html": "twin" } });
    const twin = await createProject({ ...stage, client }, { name: "twin" });
    assert.equal(twin.id, lost.id);
    const failed = await endOf({ client }, await firstDeployment(client, twin.id, waiting));
    assert.match(failed.error ?? "", /has another project with the number/);
    await client("DELETE /api/v1/project/{id}", { params: { id: twin.id } });
    const isRemoved = async () => (await pool.query("select from removals")).rowCount === 0;
    await waitFor("the removal", isRemoved, waiting);
  } finally {
    await pool.end();
  }
  assert.equal(await stateOf(stage, lost), state);
  assert.equal(await bodyOf(stage, lost), "lost");
});

async function surviveKill(kill: number): Promise<void> {
  const version = `version ${kill}\n`;
  await Promise.all(samples.map(({ name, files }) => stage.git.commit(name, { files: files(version) })));
  const ids = await Promise.all(projects.map(({ id }) => deploy(client, id)));
  // The random moment is what is tested: this pause does not wait for anything.
  await pause(random() * longestDelayMs);
  await killControlPlane(stage.platform.dataDirectory);
  await restart();
  const ended = await Promise.all(ids.map((id) => endOf({ client }, id)));
  for (const [at, deployment] of ended.entries()) {
    const what = `${samples[at]?.name}, kill ${kill}`;
    assert.equal(deployment.status, 1, `${what}: ${deployment.error}`);
    assert.deepEqual(deployment.output?.client_payload, expectedLines, what);
    const { steps } = deployment;
    assert.deepEqual([...new Set(steps.map(({ status }) => status))], ["completed"], what);
    assert.equal(await countRecords(deployment.id), steps.length, `${what}: each step once`);
  }
  for (const project of projects) assert.equal(await bodyOf(stage, project), version, `${project.name}, kill ${kill}`);
  assert.equal(await deploymentsOf(projects[0] as Project), kill + 1, "no deployment but those asked for");
}

const errorsOfNginx = (): Promise<string> =>
  stage.bash("tail -n 20 /var/log/nginx/error.log /srv/longshore/projects/*/logs/*error*.log 2> /dev/null || true");

const expectedLines = Array.from({ length: lines }, (_, at) => `line ${at + 1} of the build`);

/** How many steps the server executed for a deployment. */
async function countRecords(deploymentId: number): Promise<number> {
  const journals = await stage.bash(`
    for run in /var/lib/longshore/runs/*; do
      if grep -qs "releases/${deploymentId}\\b" "$run"/steps/*; then grep -aEc $'^\\x1e[0-9a-f]+ step ' "$run/journal"; fi
    done | awk '{ sum += $1 } END { print sum }'`);
  return Number(journals);
}

const deploymentsOf = async ({ id }: Project): Promise<number> =>
  (await client("GET /api/v1/projects/{id}/deployments", { params: { id } })).total_items;

async function restart(): Promise<void> {
  const started = await startProcess({ dataDirectory: stage.platform.dataDirectory });
  processes = started;
  client = api({ url: started.url, token: stage.platform.token });
}

/** A small random number generator; the same seed gives the same numbers. */
function mulberry32(seedOfIt: number): () => number {
  let state = seedOfIt;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
