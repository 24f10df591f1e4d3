import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call } from "../../../http/tests/support.ts";
import { maskedValues } from "../logs.ts";
import { createProject, openStage, type Stage } from "./support.ts";

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
  assert.deepEqual(reply.body, {
    status: "success",
    data: [
      { name: "A", masked: true },
      { name: "C", masked: true },
    ],
  });
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
  assert.deepEqual((await ask("GET", id)).body.data, [
    { name: "A", masked: true },
    { name: "C", masked: true },
  ]);
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
