import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Run } from "../../../../engine/runs/queries.ts";
import { call } from "../../../../http/tests/support.ts";
import {
  createPreparedProject,
  createProject,
  openStage,
  type Play,
  playServers,
  type Stage,
} from "../../tests/support.ts";

let stage: Stage;
let stop: () => Promise<void> = async () => {};
let runs: Run[] = [];

before(async () => {
  stage = await openStage({ answerWithinSeconds: "60" });
});
afterEach(async () => {
  await stop();
  stop = async () => {};
});
after(() => stage?.close());

async function play(answer: (run: Run) => Play = () => ({})): Promise<void> {
  runs = [];
  stop = await playServers(stage, (run) => {
    runs.push(run);
    return answer(run);
  });
}

const php = (framework_id = 4) => createPreparedProject(stage, { framework_id });
const change = (id: number, body: object, token = stage.cast.alice) =>
  call(stage.app, `PUT /api/v1/projects/${id}/php`, { token, body });
const shown = async (id: number) =>
  (await call(stage.app, `GET /api/v1/projects/${id}/php`, { token: stage.cast.alice })).body.data;
const scripts = () => runs.flatMap(({ plan }) => plan.steps.map(({ script }) => script)).join("\n");

test("given settings reach PHP-FPM at once, and what is omitted stays", async () => {
  const id = await php();
  await play();
  const { status, body } = await change(id, {
    memory_limit_mb: 512,
    max_workers: 40,
    extensions: ["uuid", "imagick", "uuid"],
  });
  assert.deepEqual([status, body.message], [200, "PHP has the settings."]);
  assert.deepEqual(body.data.extensions, ["imagick", "uuid"]);
  assert.match(scripts(), /php_admin_value\[memory_limit\] = 512M/);
  assert.match(scripts(), /extensions=\(imagick uuid\)/);
  await change(id, { opcache_is_enabled: false, opcache_memory_mb: 64 });
  assert.match(scripts(), /opcache\.enable = 0\nopcache\.memory_consumption = 64/);
  const { memory_limit_mb, max_workers, opcache_is_enabled, sync } = await shown(id);
  assert.deepEqual([memory_limit_mb, max_workers, opcache_is_enabled, sync.state], [512, 40, false, "applied"]);
});

test("a long execution time is also the web server's", async () => {
  const id = await php();
  await play();
  assert.equal((await change(id, { max_execution_seconds: 900 })).status, 200);
  await stop();
  assert.match(scripts(), /request_terminate_timeout = 930s/);
  const site = await call(stage.app, `GET /api/v1/projects/${id}`, { token: stage.cast.alice });
  assert.equal(site.status, 200);
});

test("what PHP-FPM refuses is taken back to what the server took last, and the answer has the reason", async () => {
  const id = await php();
  await play();
  assert.equal((await change(id, { max_workers: 30 })).status, 200);
  await stop();
  let refuses = true;
  await play((run) => {
    if (run.kind !== "write-pool" || !refuses) return {};
    refuses = false;
    return { exitCode: 1, output: "There is no extension zmq for PHP 8.4.\n" };
  });
  const { status, body } = await change(id, { max_workers: 31, extensions: ["zmq"] });
  assert.equal(status, 422);
  assert.match(body.message, /^The change was taken back\. There is no extension zmq for PHP 8\.4\./);
  const { max_workers, extensions, refusal } = await shown(id);
  assert.deepEqual([max_workers, extensions], [30, []]);
  assert.match(refusal, /no extension zmq/);
  assert.equal((await change(id, { max_workers: 32 })).status, 200);
  assert.equal((await shown(id)).refusal, null);
});

test("workers and compiled scripts have to fit into the memory of the server", async () => {
  const id = await php();
  await stage.pool.query(
    `insert into server_readings (server_id, seen_at, measured_at, usage)
     values ($1, now(), now(), '{"memory": {"total_bytes": 1073741824, "available_bytes": 1}}')`,
    [stage.serverId],
  );
  const { status, body } = await change(id, { max_workers: 33, opcache_memory_mb: 513 });
  assert.equal(status, 422);
  assert.deepEqual(body.errors, {
    max_workers: "The server has 1024 MB of memory: at most 32 workers, one for each 32 MB.",
    opcache_memory_mb: "The server has 1024 MB of memory: at most 512 of them for compiled scripts.",
  });
  assert.equal((await shown(id)).most_workers, 32);
  for (const wrong of [
    { max_workers: 0 },
    { memory_limit_mb: 8 },
    { extensions: ["$(id)"] },
    { max_execution_seconds: 9e9 },
  ]) {
    const [field] = Object.keys((await change(id, wrong)).body.errors);
    assert.equal(field?.split(".")[0], Object.keys(wrong)[0]);
  }
});

test("a project that does not run on PHP has none of it, and a new one gets it with its first deployment", async () => {
  assert.equal((await change(await php(8), { max_workers: 5 })).status, 422);
  const id = await createProject(stage, { framework_id: 1 });
  const { status, body } = await change(id, { max_workers: 5 });
  assert.deepEqual([status, body.message], [200, "The settings were saved. The first deployment applies them."]);
  assert.equal((await change(id, { max_workers: 5 }, stage.cast.victor)).status, 403);
  assert.equal((await change(id, { max_workers: 5 }, stage.cast.charlie)).status, 404);
});
