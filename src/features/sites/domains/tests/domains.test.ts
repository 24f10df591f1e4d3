import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { Run } from "../../../../engine/runs/queries.ts";
import { call, type Reply, tokenOf } from "../../../../http/tests/support.ts";
import { pollUntil } from "../../../../lib/clock.ts";
import {
  createPreparedProject,
  createProject,
  openStage,
  type Play,
  playServers,
  projectBody,
  readProject,
  type Stage,
  update,
} from "../../../projects/tests/support.ts";

let stage: Stage;
let stop: () => Promise<void> = async () => {};
let count = 0;

before(async () => {
  stage = await openStage({ answerWithinSeconds: "60" });
});

afterEach(async () => {
  await stop();
  stop = async () => {};
});

after(() => stage?.close());

const domain = (prefix = "d") => `${prefix}-${++count}.example.org`;
const ask = (line: string, body?: unknown, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, line, { token, ...(body === undefined ? {} : { body }) });
const add = (id: number, name: string, token?: string) =>
  ask(`POST /api/v1/projects/${id}/domains`, { domain: name }, token);
const replace = (id: number, body: object) => ask(`PUT /api/v1/projects/${id}/domains`, body);
const makePrimary = (id: number, domainId: number) => ask(`PUT /api/v1/projects/${id}/domains/${domainId}/primary`);
const redirect = (id: number, domainId: number, body: object) =>
  ask(`PUT /api/v1/projects/${id}/domains/${domainId}/redirect`, body);
const remove = (id: number, domainId: number) => ask(`DELETE /api/v1/projects/${id}/domains/${domainId}`);

interface Entry {
  id: number;
  project_id: number;
  domain_name: string;
  is_primary: number;
  redirect_to: string | null;
  redirect_status_code: number | null;
  sync: unknown;
}

const list = async (id: number): Promise<Entry[]> => (await ask(`GET /api/v1/projects/${id}/domains`)).body.data;
const namesOf = async (id: number): Promise<string[]> => (await list(id)).map((each) => each.domain_name);
const primaryOf = async (id: number): Promise<Entry> => (await list(id)).find((each) => each.is_primary === 1) as Entry;
const claimsOf = async (id: number): Promise<string[]> =>
  (await stage.pool.query("select name from domain_names where project_id = $1 order by name", [id])).rows.map(
    (row) => row.name,
  );
const runsOf = async (id: number): Promise<Run[]> =>
  (await stage.pool.query("select * from runs where kind = 'site' and subject_id = $1 order by id", [id])).rows;

const obey: Play = { output: "nginx: test is successful\n" };
const refusal = 'nginx rejects the new settings: unknown directive "nonsense". The former ones stay.';
const refuse: Play = { exitCode: 1, output: `nginx: [emerg] unknown directive "nonsense"\n${refusal}\n` };

async function play(how: (run: Run) => Promise<Play> | Play): Promise<void> {
  stop = await playServers(stage, how);
}

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

/** Adds a domain to a project that is not on its server yet; its id. */
async function added(id: number, name = domain()): Promise<number> {
  const { status, body, text } = await add(id, name);
  assert.equal(status, 201, text);
  return body.domain.id;
}

describe("the domains of a project", () => {
  test("are listed, the primary one first, with id and project_id", async () => {
    const id = await createProject(stage);
    await added(id);
    const domains = await list(id);
    assert.deepEqual(
      domains.map((each) => [each.project_id, each.is_primary]),
      [
        [id, 1],
        [id, 0],
      ],
    );
    assert.ok(domains.every((each) => Number.isInteger(each.id)));
  });

  test("of all projects in reach are pages of 25", async () => {
    const { body } = await ask("GET /api/v1/domains");
    assert.deepEqual(Object.keys(body), ["current_page", "data", "per_page", "total_pages", "total_items"]);
    assert.equal(body.per_page, 25);
    assert.ok(body.total_items >= 2);
    assert.ok(body.data.every((each: Entry) => each.id && each.project_id));
    assert.equal((await ask("GET /api/v1/domains", undefined, stage.cast.charlie)).body.total_items, 0);
  });

  test("are seen by viewers and changed by those who may", async () => {
    const id = await createProject(stage);
    const line = `GET /api/v1/projects/${id}/domains`;
    assert.equal((await ask(line, undefined, stage.cast.victor)).status, 200);
    assert.equal((await ask(line, undefined, stage.cast.charlie)).status, 404);
    assert.equal((await add(id, domain(), stage.cast.victor)).status, 403);
    assert.equal((await add(id, domain(), await tokenOf(stage.pool, "Alice", "project:read"))).status, 403);
    assert.equal((await add(id, domain(), stage.cast.charlie)).status, 404);
  });
});

describe("adding a domain", () => {
  test("answers 201 with the entry and nginx's output", async () => {
    const id = await createPreparedProject(stage);
    await play(() => obey);
    const name = domain();
    const { status, body } = await add(id, name.toUpperCase());
    assert.deepEqual([status, body.status, body.domain.domain_name], [201, "success", name]);
    assert.deepEqual(body.nginx_response, { ok: true, system_output: ["nginx: test is successful"] });
    assert.match((await runsOf(id))[0]?.plan.steps[0]?.script ?? "", new RegExp(`server_name [^;]*${name}`));
  });

  test("stores a name in another script as punycode", async () => {
    const id = await createProject(stage);
    assert.equal((await add(id, "Bücher.example")).body.domain.domain_name, "xn--bcher-kva.example");
  });

  test("of a project that is not on its server yet waits for nothing", async () => {
    const id = await createProject(stage);
    const { status, body } = await add(id, domain());
    assert.deepEqual([status, body.nginx_response, (await runsOf(id)).length], [201, null, 0]);
    assert.match(body.message, /first deployment/);
  });

  for (const [text, sentence] of [
    ["*.example.com", /wildcards are not possible/],
    ["https://example.com/x", /without scheme, port or path/],
    ["localhost", /host name such as/],
    ["a b.example", /host name such as/],
  ] as const) {
    test(`refuses ${text} with a sentence`, async () => {
      const { status, body } = await add(await createProject(stage), text);
      assert.deepEqual([status, Object.keys(body.errors)], [422, ["domain"]]);
      assert.match(body.errors.domain, sentence);
    });
  }

  test("refuses what is there already, in this project or in another one", async () => {
    const [one, other] = [await createProject(stage), await createProject(stage)];
    const name = domain();
    await added(one, name);
    assert.match((await add(one, name)).body.errors.domain, /belongs to this project already/);
    assert.match((await add(other, name)).body.errors.domain, /belongs to another project/);
    const { body } = await ask(`POST /api/v1/projects/${other}/domains`, { domain: name, primary: true });
    assert.match(body.errors.domain, /belongs to another project/);
    assert.match(body.warnings[0], /primary/);
  });

  test("has one winner when many ask for the same name at once", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => createProject(stage)));
    const name = domain();
    const statuses = (await Promise.all(ids.map((id) => add(id, name)))).map((reply) => reply.status);
    assert.deepEqual(statuses.toSorted(), [201, 422, 422, 422, 422, 422, 422, 422]);
  });
});

describe("the names that www_redirect claims", () => {
  test("belong to the project like its domains", async () => {
    const [one, other] = [await createProject(stage), await createProject(stage)];
    const name = domain();
    await replace(one, { domains: [name], www_redirect: 1 });
    assert.deepEqual(await claimsOf(one), [name, `www.${name}`].toSorted());
    assert.match((await add(other, `www.${name}`)).body.errors.domain, new RegExp(`www.${name} belongs to another`));
    const created = await ask("POST /api/v1/projects", projectBody(stage.serverId, { domain: `www.${name}` }));
    assert.deepEqual([created.status, Object.keys(created.body.errors)], [422, ["domain"]]);
  });

  test("cannot be claimed when another project has the other form", async () => {
    const [one, other] = [await createProject(stage), await createProject(stage)];
    const name = domain();
    await added(other, `www.${name}`);
    const { status, body } = await replace(one, { domains: [name], www_redirect: 2 });
    assert.deepEqual([status, Object.keys(body.errors)], [422, ["domains"]]);
    const created = await ask("POST /api/v1/projects", projectBody(stage.serverId, { domain: name, www_redirect: 1 }));
    assert.deepEqual([created.status, Object.keys(created.body.errors)], [422, ["domain"]]);
    assert.equal((await replace(one, { domains: [name], www_redirect: 0 })).status, 200);
  });

  test("are one project's, also when two claim them at once from both ends", async () => {
    const [one, other] = [await createProject(stage), await createProject(stage)];
    const name = domain();
    const replies = await Promise.all([replace(one, { domains: [name], www_redirect: 1 }), add(other, `www.${name}`)]);
    const statuses = replies.map((reply) => reply.status);
    assert.equal(
      statuses.filter((status) => status === 422).length,
      1,
      JSON.stringify(replies.map((each) => each.body)),
    );
    const owners = await stage.pool.query("select project_id from domain_names where name = $1", [`www.${name}`]);
    assert.equal(owners.rows.length, 1);
  });

  test("are free again with the setting, the domain or the project", async () => {
    const [one, other] = [await createProject(stage), await createProject(stage)];
    const name = domain();
    await replace(one, { domains: [name], www_redirect: 1 });
    await replace(one, { domains: [name], www_redirect: 0 });
    const domainId = await added(other, `www.${name}`);
    await remove(other, domainId);
    await replace(one, { domains: [name], www_redirect: 1 });
    assert.equal((await ask(`DELETE /api/v1/project/${one}`)).status, 200);
    await added(other, `www.${name}`);
  });
});

describe("replacing the domains", () => {
  test("answers with the domains, www_redirect, the primary one and nginx's output", async () => {
    const id = await createPreparedProject(stage);
    await play(() => obey);
    const [a, b] = [domain(), domain()];
    const { status, body } = await replace(id, { domains: [a, b, a.toUpperCase()], www_redirect: 1 });
    assert.deepEqual([status, body.status], [200, "success"]);
    assert.deepEqual(
      body.data.domains.map((each: Entry) => each.domain_name),
      [a, b],
    );
    assert.deepEqual([body.data.www_redirect, body.data.primary_domain], [1, a]);
    assert.equal(body.nginx_response.ok, true);
    const project = await readProject(stage, id);
    assert.deepEqual([project.www_redirect, project.primary_domain], [1, a]);
  });

  test("keeps what stays, and the primary one", async () => {
    const id = await createProject(stage);
    const primary = await primaryOf(id);
    const kept = await added(id);
    await redirect(id, kept, { redirect_to: "example.com" });
    const [, entry] = await list(id);
    await replace(id, { domains: [domain(), entry?.domain_name, primary.domain_name] });
    const after = await list(id);
    assert.equal(after.find((each) => each.is_primary)?.id, primary.id);
    assert.equal(after.find((each) => each.id === kept)?.redirect_to, "https://example.com");
  });

  test("names every bad one, and needs one at least", async () => {
    const id = await createProject(stage);
    const { body } = await replace(id, { domains: ["ok.example.org", "*.example.org", "no"] });
    assert.deepEqual(Object.keys(body.errors), ["domains.1", "domains.2"]);
    for (const domains of [
      [],
      undefined,
      "a.example",
      Array.from({ length: 101 }, (_, index) => `a${index}.example`),
    ]) {
      assert.deepEqual(Object.keys((await replace(id, { domains })).body.errors), ["domains"]);
    }
    assert.deepEqual(Object.keys((await replace(id, { domains: [domain()], www_redirect: 3 })).body.errors), [
      "www_redirect",
    ]);
  });
});

describe("the primary domain", () => {
  test("is set, and redirect_setting shows the present www_redirect", async () => {
    const id = await createProject(stage);
    const name = domain();
    await replace(id, { domains: [name, `www.${name}`], www_redirect: 1 });
    const www = (await list(id)).find((each) => each.domain_name.startsWith("www.")) as Entry;
    const { status, body } = await makePrimary(id, www.id);
    assert.deepEqual([status, body.status, body.redirect_setting], [200, "success", 2]);
    assert.equal((await primaryOf(id)).id, www.id);
    assert.equal((await readProject(stage, id)).www_redirect, 2);
  });

  test("may not redirect, be redirected or be deleted", async () => {
    const id = await createProject(stage);
    const primary = await primaryOf(id);
    assert.match((await remove(id, primary.id)).body.message, /the only domain of the project/);
    const other = await added(id);
    assert.match((await remove(id, primary.id)).body.message, /primary domain and cannot be deleted/);
    assert.match(
      (await redirect(id, primary.id, { redirect_to: "example.com" })).body.message,
      /cannot redirect elsewhere/,
    );
    await redirect(id, other, { redirect_to: "example.com" });
    const refused = await makePrimary(id, other);
    assert.deepEqual([refused.status, Object.keys(refused.body)], [422, ["status", "message"]]);
    assert.match(refused.body.message, /remove its redirect/);
  });

  test("is one of the project's own", async () => {
    const [one, other] = [await createProject(stage), await createProject(stage)];
    const domainId = await added(other);
    assert.equal((await makePrimary(one, domainId)).status, 404);
    assert.equal((await redirect(one, domainId, { redirect_to: "example.com" })).status, 404);
    assert.equal((await remove(one, domainId)).status, 404);
  });
});

describe("a redirect", () => {
  for (const code of [301, 302, 307, 308]) {
    test(`is set with ${code}, and answers with the domains`, async () => {
      const id = await createProject(stage);
      const domainId = await added(id);
      const { status, body } = await redirect(id, domainId, {
        redirect_to: "https://example.com/x",
        redirect_status_code: code,
      });
      assert.equal(status, 200);
      const entry = body.domains.find((each: Entry) => each.id === domainId);
      assert.deepEqual([entry.redirect_to, entry.redirect_status_code], ["https://example.com/x", code]);
    });
  }

  test("is taken back with null, and keeps its code when none is sent", async () => {
    const id = await createProject(stage);
    const domainId = await added(id);
    await redirect(id, domainId, { redirect_to: "example.com", redirect_status_code: 307 });
    await redirect(id, domainId, { redirect_to: "example.net" });
    assert.deepEqual(
      (await list(id)).map((each) => each.redirect_status_code),
      [null, 307],
    );
    assert.equal((await redirect(id, domainId, { redirect_to: null })).status, 200);
    assert.deepEqual(
      (await list(id)).map((each) => [each.redirect_to, each.redirect_status_code]),
      [
        [null, null],
        [null, null],
      ],
    );
  });

  test("refuses circles, other codes and what is no target", async () => {
    const id = await createProject(stage);
    const name = domain();
    const domainId = await added(id, name);
    for (const target of [name, `https://${name}/path`, "javascript:alert(1)", "https://u:p@example.com", ""]) {
      assert.deepEqual(
        Object.keys((await redirect(id, domainId, { redirect_to: target })).body.errors),
        ["redirect_to"],
        target,
      );
    }
    const wrongCode = await redirect(id, domainId, { redirect_to: "example.com", redirect_status_code: 303 });
    assert.deepEqual(Object.keys(wrongCode.body.errors), ["redirect_status_code"]);
    assert.deepEqual(Object.keys((await redirect(id, domainId, {})).body.errors), ["redirect_to"]);
  });
});

describe("a web server that refuses", () => {
  const state = async (id: number) => {
    const { www_redirect } = await readProject(stage, id);
    return { www_redirect, domains: (await list(id)).map(({ sync: _, ...domain }) => domain) };
  };

  test("has the change taken back, and the answer is nginx's own words", async () => {
    const id = await createPreparedProject(stage);
    const before = await state(id);
    await play(() => refuse);
    const name = domain();
    const { status, body } = await add(id, name);
    assert.deepEqual([status, Object.keys(body)], [422, ["status", "message"]]);
    assert.match(body.message, /taken back.*unknown directive "nonsense"/);
    assert.deepEqual(await state(id), before);
    const [refused, again] = (await pollUntil(async () => (await runsOf(id)).length > 1 && runsOf(id), {
      timeoutMs: 30_000,
    })) as [Run, Run];
    const scriptOf = ({ plan }: Run) => plan.steps.map(({ script }) => script).join();
    assert.match(scriptOf(refused), new RegExp(name));
    assert.doesNotMatch(scriptOf(again), new RegExp(name), "the server gets what the rows are now");
    await added(await createProject(stage), name);
  });

  test("has deleted and replaced domains brought back as they were", async () => {
    const id = await createPreparedProject(stage);
    await play((run) => (run.plan.steps[0]?.script.includes("refused.example") ? refuse : obey));
    await redirect(id, await added(id), { redirect_to: "example.com", redirect_status_code: 307 });
    const before = await state(id);
    assert.equal((await replace(id, { domains: ["refused.example.org"], www_redirect: 2 })).status, 422);
    assert.deepEqual(await state(id), before);
    assert.deepEqual(await claimsOf(id), before.domains.map((each) => each.domain_name).toSorted());
  });

  test("takes back all that it was not yet asked, whichever came first", async () => {
    const id = await createPreparedProject(stage);
    const before = await state(id);
    const held = gate();
    await play(async () => {
      await held.promise;
      return refuse;
    });
    const first = add(id, domain());
    await pollUntil(async () => (await runsOf(id)).length === 1, { timeoutMs: 30_000 });
    const second = add(id, domain());
    await pollUntil(async () => (await list(id)).length === 3, { timeoutMs: 30_000 });
    held.open();
    assert.deepEqual([(await first).status, (await second).status], [422, 422]);
    assert.deepEqual(await state(id), before);
  });

  test("decides over what came later, not over what it has accepted", async () => {
    const id = await createPreparedProject(stage);
    const held = gate();
    let runs = 0;
    await play(async (run) => {
      // A project of an earlier test may still be waiting for its former domains.
      if (run.subject_id !== id) return obey;
      runs += 1;
      if (runs > 1) return refuse;
      await held.promise;
      return obey;
    });
    const [good, bad] = [domain("good"), domain("bad")];
    const first = add(id, good);
    await pollUntil(() => runs === 1, { timeoutMs: 30_000 });
    const second = add(id, bad);
    await pollUntil(async () => (await list(id)).length === 3, { timeoutMs: 30_000 });
    held.open();
    assert.deepEqual([(await first).status, (await second).status], [201, 422]);
    assert.deepEqual((await namesOf(id)).slice(1), [good]);
  });

  test("leaves a name to the project that has it by now", async () => {
    const [id, other] = [await createPreparedProject(stage), await createProject(stage)];
    const name = domain();
    let refuses = false;
    const held = gate();
    await play(async () => {
      if (!refuses) return obey;
      await held.promise;
      return refuse;
    });
    const domainId = await added(id, name);
    refuses = true;
    const deleting = remove(id, domainId);
    await pollUntil(async () => (await list(id)).length === 1, { timeoutMs: 30_000 });
    await added(other, name);
    held.open();
    const { status, body } = await deleting;
    assert.equal(status, 422);
    assert.match(
      body.message,
      new RegExp(`^The change was taken back, but .*: ${name} belongs to another project by now`),
    );
    assert.equal((await list(id)).length, 1);
    assert.ok((await namesOf(other)).includes(name));
  });

  test("leaves the change where the former primary name is another project's by now, and reports it", async () => {
    const [id, other] = [await createPreparedProject(stage), await createProject(stage)];
    const former = (await primaryOf(id)).domain_name;
    const held = gate();
    await play(async () => {
      await held.promise;
      return refuse;
    });
    const name = domain();
    const replacing = replace(id, { domains: [name] });
    await pollUntil(async () => (await namesOf(id))[0] === name, { timeoutMs: 30_000 });
    await added(other, former);
    held.open();
    const { status, body } = await replacing;
    assert.equal(status, 422);
    assert.match(body.message, /^The change stays, and the web server serves the domains of before: /);
    assert.match(
      body.message,
      new RegExp(`${former} belongs to another project by now\\. .*unknown directive "nonsense"`),
    );
    assert.deepEqual(await namesOf(id), [name]);
  });

  test("is not asked about settings that change nothing of the site", async () => {
    const id = await createPreparedProject(stage);
    let refuses = false;
    await play(() => (refuses ? refuse : obey));
    assert.equal((await add(id, domain())).status, 201);
    refuses = true;
    assert.equal((await update(stage, id, { redirect_status_code: 308 })).status, 200);
    assert.equal((await readProject(stage, id)).redirect_status_code, 308);
    refuses = false;
    assert.equal((await add(id, domain())).status, 201);
  });
});

describe("many changes", () => {
  test("are few publications, each of all that came before it", async () => {
    const id = await createPreparedProject(stage);
    const held = gate();
    await play(async () => {
      await held.promise;
      return obey;
    });
    const names = Array.from({ length: 10 }, () => domain());
    const adding = Promise.all(names.map((name) => add(id, name)));
    const areStored = await pollUntil(async () => (await namesOf(id)).length === 11, { timeoutMs: 30_000 });
    held.open();
    assert.ok(areStored);
    for (const reply of await adding) assert.deepEqual([reply.status, reply.body.nginx_response.ok], [201, true]);
    const runs = await runsOf(id);
    assert.ok(runs.length <= 2, `${runs.length} publications`);
    for (const name of names) assert.ok(runs.at(-1)?.plan.steps[0]?.script.includes(name));
    const open = await stage.pool.query("select 1 from site_changes where project_id = $1 and state = 'pending'", [id]);
    assert.equal(open.rows.length, 0);
  });

  test("emit events: domain.updated and project.updated", async () => {
    const id = await createProject(stage);
    await stage.pool.query("delete from events where project_id = $1", [id]);
    await added(id);
    const events = await stage.pool.query("select name from events where project_id = $1 order by name", [id]);
    assert.deepEqual(
      events.rows.map((row) => row.name),
      ["domain.updated", "project.updated"],
    );
  });
});

describe("a server that does not answer in time", () => {
  before(async () => {
    await stage.close();
    stage = await openStage({ answerWithinSeconds: "1" });
  });

  test("answers 202, and the change continues", async () => {
    const id = await createPreparedProject(stage);
    const { status, body } = await add(id, domain());
    assert.deepEqual([status, body.status, body.nginx_response], [202, "success", null]);
    assert.match(body.message, /continues in the background/);
    await play(() => obey);
    const changes = () => stage.pool.query("select state from site_changes where project_id = $1", [id]);
    assert.ok(await pollUntil(async () => (await changes()).rows[0].state === "accepted", { timeoutMs: 30_000 }));
    assert.equal((await list(id)).length, 2);
  });

  test("and refuses later has the change taken back without anybody waiting", async () => {
    const id = await createPreparedProject(stage);
    assert.equal((await add(id, domain())).status, 202);
    await play(() => refuse);
    assert.ok(await pollUntil(async () => (await list(id)).length === 1, { timeoutMs: 30_000 }));
  });
});
