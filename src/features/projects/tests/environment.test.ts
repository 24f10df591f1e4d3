import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Run } from "../../../engine/runs/queries.ts";
import { call } from "../../../http/tests/support.ts";
import { secretsOf } from "../../deployments/planning.ts";
import { setLive } from "../../placements/queries.ts";
import { maskedValues } from "../logs.ts";
import { createProject, insertServer, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

const ask = (method: string, id: number, { name, body }: { name?: string; body?: object } = {}) => {
  const path = `/api/v1/projects/${id}/environment-variables${name === undefined ? "" : `/${name}`}`;
  return call(stage.app, `${method} ${path}`, { token: stage.cast.alice, ...(body && { body }) });
};

const stored = async (id: number): Promise<string | null> => {
  const { rows } = await stage.pool.query("select environment_variables from projects where id = $1", [id]);
  const [{ environment_variables: encrypted }] = rows;
  return encrypted === null ? null : stage.ctx.secrets.decrypt(encrypted);
};

test("names can be read, and no value", async () => {
  const id = await createProject(stage, { environment_variables: "A=s3cret\n# B\nC='s3cret too'" });
  const reply = await ask("GET", id);
  assert.deepEqual(
    reply.body.data.map(({ name, masked }: { name: string; masked: boolean }) => ({ name, masked })),
    [
      { name: "A", masked: true },
      { name: "C", masked: true },
    ],
  );
  assert.equal(reply.text.includes("s3cret"), false);
  assert.deepEqual((await ask("GET", await createProject(stage))).body.data, []);
});

test("a value is masked by its name and look, or as the user chose", async () => {
  const id = await createProject(stage, { environment_variables: "APP_ENV=production\nDB_PASSWORD=correct-horse" });
  const masked = async () => {
    const { body } = await ask("GET", id);
    return Object.fromEntries(body.data.map((each: { name: string; masked: boolean }) => [each.name, each.masked]));
  };
  assert.deepEqual(await masked(), { APP_ENV: false, DB_PASSWORD: true });
  assert.deepEqual(await maskedValues(stage.ctx, id), ["correct-horse"]);
  assert.equal((await ask("PUT", id, { name: "APP_ENV", body: { masked: true } })).status, 200);
  assert.equal((await ask("PUT", id, { name: "DB_PASSWORD", body: { masked: false, value: "battery" } })).status, 200);
  assert.deepEqual(await masked(), { APP_ENV: true, DB_PASSWORD: false });
  assert.deepEqual(await maskedValues(stage.ctx, id), ["production"]);
  assert.equal(await stored(id), "APP_ENV=production\nDB_PASSWORD=battery\n");
  await ask("PUT", id, { name: "APP_ENV", body: { masked: null } });
  assert.deepEqual(await masked(), { APP_ENV: false, DB_PASSWORD: false });
  // A variable that was removed begins with the default.
  await ask("PUT", id, { body: { environment_variables: "A=1" } });
  await ask("PUT", id, { name: "DB_PASSWORD", body: { value: "correct-horse" } });
  assert.deepEqual(await masked(), { A: false, DB_PASSWORD: true });
});

interface Shown {
  name: string;
  updated_at: string | null;
  updated_by: { id: number; name: string } | null;
  is_live: boolean;
}
const shown = async (id: number): Promise<Record<string, Shown>> =>
  Object.fromEntries((await ask("GET", id)).body.data.map((each: Shown) => [each.name, each]));

test("each variable has the time and the person of the last change of its value", async () => {
  const { alice: aliceId, bob: bobId } = stage.cast.userIds;
  const id = await createProject(stage, { environment_variables: "A=1\nB=2\n__proto__=3\nconstructor=4" });
  const first = await shown(id);
  for (const { updated_at, updated_by } of Object.values(first)) {
    assert.match(updated_at ?? "", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/);
    assert.equal(updated_by?.id, aliceId);
  }
  assert.equal(Object.keys(first).length, 4);

  const body = { environment_variables: "# sorted\nB='2'\nA=one\nC=3\nconstructor=4\n__proto__=3" };
  const asBob = await call(stage.app, `PUT /api/v1/projects/${id}/environment-variables`, {
    token: stage.cast.bob,
    body,
  });
  assert.equal(asBob.status, 200, asBob.text);
  const second = await shown(id);
  assert.deepEqual([second.A?.updated_by?.id, second.C?.updated_by?.id], [bobId, bobId]);
  for (const name of ["B", "constructor", "__proto__"]) {
    assert.equal(Object.getOwnPropertyDescriptor(second, name)?.value.updated_by.id, aliceId, name);
  }
  assert.equal(second.B?.updated_at, first.B?.updated_at);

  await ask("PUT", id, { name: "C", body: { masked: true } });
  assert.deepEqual((await shown(id)).C?.updated_by?.id, bobId, "whether logs mask it is not its value");
  await ask("DELETE", id, { name: "C" });
  await ask("PUT", id, { name: "C", body: { value: "3" } });
  assert.equal((await shown(id)).C?.updated_by?.id, aliceId);
});

test("what was set before this was recorded, or by an account that is gone, has no person", async () => {
  const id = await createProject(stage, { environment_variables: "A=1\nB=2" });
  await stage.pool.query(
    `update projects set environment_changes = '{"A": {"at": "2026-03-01T10:20:30.000000Z", "by": 999999}}' where id = $1`,
    [id],
  );
  const { A, B } = await shown(id);
  assert.deepEqual([A?.updated_at, A?.updated_by], ["2026-03-01T10:20:30.000000Z", null]);
  assert.deepEqual([B?.updated_at, B?.updated_by], [null, null]);
});

test("a value is live when the release that serves got it, on each of its servers", async () => {
  const id = await createProject(stage, { environment_variables: "A=1\nB=2" });
  const live = async () => Object.fromEntries(Object.values(await shown(id)).map((each) => [each.name, each.is_live]));
  /** A deployment gets the present environment, and goes live unless it fails. */
  const deploy = async (serverId: number, outcome: "succeeds" | "fails" = "succeeds") => {
    const { rows } = await stage.pool.query(
      `insert into deployments (organization_id, project_id, server_id, description, git_branch)
       select organization_id, id, $2, 'test', 'main' from projects where id = $1 returning id`,
      [id, serverId],
    );
    const deploymentId = Number(rows[0].id);
    await secretsOf(stage.ctx, { subject_id: deploymentId } as Run);
    if (outcome === "fails") return;
    await setLive(stage.pool, { projectId: id, serverId }, { deploymentId, releaseId: deploymentId, port: null });
  };
  assert.deepEqual(await live(), { A: false, B: false }, "nothing is live");
  await deploy(stage.serverId);
  assert.deepEqual(await live(), { A: true, B: true });

  await ask("PUT", id, { name: "B", body: { value: "two" } });
  await ask("PUT", id, { name: "C", body: { value: "3" } });
  assert.deepEqual(await live(), { A: true, B: false, C: false });
  await ask("PUT", id, { name: "B", body: { value: "2" } });
  assert.deepEqual(await live(), { A: true, B: true, C: false }, "the value that is live is back");
  await ask("PUT", id, { name: "B", body: { value: "two" } });
  await deploy(stage.serverId, "fails");
  assert.deepEqual(await live(), { A: true, B: false, C: false }, "the former release serves");
  await deploy(stage.serverId);
  assert.deepEqual(await live(), { A: true, B: true, C: true });

  const further = await insertServer(stage.pool, stage.cast.organizationId);
  await stage.pool.query("insert into placements (project_id, server_id, role) values ($1, $2, 'replica')", [
    id,
    further,
  ]);
  assert.deepEqual(await live(), { A: true, B: true, C: true }, "nothing is live there yet");
  await ask("PUT", id, { name: "A", body: { value: "one" } });
  await deploy(stage.serverId);
  await stage.pool.query("update placements set live_release_id = 1, live_environment = null where server_id = $1", [
    further,
  ]);
  assert.deepEqual(await live(), { A: false, B: false, C: false }, "one of the servers has another environment");
  await deploy(further);
  assert.deepEqual(await live(), { A: true, B: true, C: true });
});

test("a text is compared by names and counts, and no value is in the answer", async () => {
  const id = await createProject(stage, { environment_variables: `A=1\nB='s3cret'\nC=\${A}3\nD=4` });
  const compare = (text: unknown, token = stage.cast.alice) =>
    call(stage.app, `POST /api/v1/projects/${id}/environment-variables/compare`, {
      token,
      body: { environment_variables: text },
    });
  const { body, text } = await compare(`# B first\nexport B="s3cret"\nA=2\nC=23\nE=new-s3cret\nA=1\nC=\${A}3`);
  assert.deepEqual(body, { status: "success", data: { added: ["E"], changed: [], removed: ["D"], unchanged: 3 } });
  assert.equal(text.includes("s3cret"), false);
  assert.deepEqual((await compare(`A=2\nC=\${A}3`)).body.data, {
    added: [],
    changed: ["A", "C"],
    removed: ["B", "D"],
    unchanged: 0,
  });
  assert.deepEqual((await compare("")).body.data.removed, ["A", "B", "C", "D"]);
  assert.equal(await stored(id), `A=1\nB='s3cret'\nC=\${A}3\nD=4`);
  const wrong = await compare("A=1\nnot a variable");
  assert.equal(wrong.status, 422);
  assert.match(wrong.body.errors.environment_variables, /Line 2/);
  assert.equal((await compare(undefined)).status, 422);
  assert.equal((await compare("A=1", stage.cast.victor)).status, 403);
  assert.equal((await compare("A=1", stage.cast.charlie)).status, 404);
});

test("a choice needs a variable, and a request a value or a choice", async () => {
  const id = await createProject(stage);
  assert.equal((await ask("PUT", id, { name: "A", body: { masked: true } })).status, 404);
  const reply = await ask("PUT", id, { name: "A", body: {} });
  assert.deepEqual([reply.status, Object.keys(reply.body.errors)], [422, ["value"]]);
});

test("single variables are set and removed; the other lines stay", async () => {
  const id = await createProject(stage, { environment_variables: "# ours\nA=1" });
  assert.equal((await ask("PUT", id, { name: "B", body: { value: "it's $HOME" } })).status, 200);
  assert.equal((await ask("PUT", id, { name: "A", body: { value: "2" } })).status, 200);
  assert.equal(await stored(id), '# ours\nA=2\nB="it\'s \\$HOME"\n');
  assert.equal((await ask("DELETE", id, { name: "B" })).status, 200);
  assert.equal((await ask("DELETE", id, { name: "B" })).status, 404);
  assert.equal(await stored(id), "# ours\nA=2\n");
});

test("the last variable leaves nothing, and the first one needs nothing", async () => {
  const id = await createProject(stage);
  await ask("PUT", id, { name: "A", body: { value: "" } });
  assert.equal(await stored(id), "A=\n");
  await ask("DELETE", id, { name: "A" });
  assert.equal(await stored(id), null);
});

test("of many that are set at once none is lost", async () => {
  const id = await createProject(stage);
  const names = Array.from({ length: 10 }, (_, at) => `V${at}`);
  await Promise.all(names.map((name) => ask("PUT", id, { name, body: { value: name } })));
  const listed = (await ask("GET", id)).body.data.map((each: { name: string }) => each.name);
  assert.deepEqual(listed.toSorted(), names);
});

test("every bad line of a text is named", async () => {
  const id = await createProject(stage);
  const reply = await ask("PUT", id, { body: { environment_variables: "A=1\nnone\nB=2\n3C=x" } });
  assert.equal(reply.status, 422);
  assert.match(reply.body.errors.environment_variables, /^Line 2 .*\. Line 4 .*\.$/);
});

test("a request without the text is refused in a sentence", async () => {
  const id = await createProject(stage);
  assert.deepEqual((await ask("PUT", id, { body: {} })).body.errors, {
    environment_variables: "The text of the environment variables is required.",
  });
});

test("what is no name, and what makes the text too long, is refused", async () => {
  const id = await createProject(stage, {
    environment_variables: `A=${"x".repeat(100_000)}\nC=${"x".repeat(50_000)}`,
  });
  for (const name of ["1A", "-B", "A:B", "A%20B", "A%3D1%0AB"]) {
    const reply = await ask("PUT", id, { name, body: { value: "x" } });
    assert.deepEqual([reply.status, Object.keys(reply.body.errors)], [422, ["name"]], name);
    assert.equal((await ask("DELETE", id, { name })).status, 404);
  }
  const reply = await ask("PUT", id, { name: "B", body: { value: "x".repeat(60_000) } });
  assert.deepEqual([reply.status, Object.keys(reply.body.errors)], [422, ["value"]]);
  assert.deepEqual(Object.keys(await shown(id)), ["A", "C"]);
});

test("a variable that processes cannot have is refused by its name when it is set, alone and in a text", async () => {
  const id = await createProject(stage, { environment_variables: "UID=1000\napp.url = 'https://a.test'" });
  for (const [name, value] of [
    ["PPID", "1"],
    ["IFS", ","],
    ["SHELLOPTS", "xtrace"],
    ["LONG", "x".repeat(131_072)],
  ] as const) {
    const alone = await ask("PUT", id, { name, body: { value } });
    assert.equal(alone.status, 422);
    assert.match(alone.body.errors.value, new RegExp(`^${name} `));
    const text = await ask("PUT", id, { body: { environment_variables: `A=1\n${name}='${value}'` } });
    assert.equal(text.status, 422);
    assert.match(text.body.errors.environment_variables, new RegExp(`^${name} `));
  }
  assert.equal((await ask("PUT", id, { name: "mail-from", body: { value: "me" } })).status, 200);
  assert.equal(await stored(id), "UID=1000\napp.url = 'https://a.test'\nmail-from=me\n");
});

test("one that was stored before stays, and does not keep others from being set", async () => {
  const id = await createProject(stage, { environment_variables: "A=1" });
  const text = stage.ctx.secrets.encrypt("PWD=/app\nA=1\n");
  await stage.pool.query("update projects set environment_variables = $2 where id = $1", [id, text]);
  assert.equal((await ask("PUT", id, { name: "B", body: { value: "2" } })).status, 200);
  assert.equal(await stored(id), "PWD=/app\nA=1\nB=2\n");
});
