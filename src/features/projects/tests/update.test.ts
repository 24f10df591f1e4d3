import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, type Reply, restrict, tokenOf } from "../../../http/tests/support.ts";
import {
  createPreparedProject,
  createProject,
  insertServer,
  openStage,
  playServers,
  readProject,
  type Stage,
  update,
} from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage?.close());

const errorsOf = (reply: Reply): Record<string, string> => {
  assert.equal(reply.status, 422, reply.text);
  return reply.body.errors;
};

const countOf = async (table: "deployments" | "runs"): Promise<number> =>
  (await stage.pool.query(`select count(*) from ${table}`)).rows[0].count;

const events = async (id: number): Promise<number> =>
  (await stage.pool.query("select count(*) from events where project_id = $1 and name = 'project.updated'", [id]))
    .rows[0].count;

describe("updating a project", () => {
  test("takes every field, and answers with an integer id", async () => {
    const id = await createProject(stage, { framework_id: 4 });
    const group = await call(stage.app, "POST /api/v1/project-groups", {
      token: stage.cast.alice,
      body: { name: "Every field" },
    });
    const settings = {
      name: "Other",
      framework_id: 1,
      project_group_id: group.body.data.id,
      environment: "staging",
      custom_commands: { dev: "d", install: "i", build: "b", directory: "app", custom: "one\ntwo" },
      max_memory: "2GB",
      shared_directories: ["storage", "public/uploads"],
      shared_files: ["config/keys.json"],
      output_directory: "apps/web/dist",
      health_path: "/up?deep=1",
      health_status: [200, 401],
      start_timeout_seconds: 300,
      spa_fallback: false,
      node_version: "22",
      zero_downtime: false,
      redirect_status_code: 308,
      notes: "Ask Bob first",
    };
    const switches = { auto_deploy_is_active: true, always_rebuild_frontend: 1, markdown_negotiation_enabled: true };
    const git_repository = { type: "git_host_b", repo: "group/app", branch: "develop" };
    const before = await events(id);
    const reply = await update(stage, id, { ...settings, ...switches, git_repository, framework: "fw_1" });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(reply.body, { status: "success", message: "The project was updated.", project_id: id });
    const project = await readProject(stage, id);
    const shown = Object.fromEntries(Object.keys(settings).map((name) => [name, project[name]]));
    assert.deepEqual(shown, settings);
    assert.deepEqual(
      [project.auto_deploy_is_active, project.always_rebuild_frontend, project.markdown_negotiation_enabled],
      [1, 1, true],
    );
    assert.deepEqual(
      [project.repository_type, project.repository, project.repository_branch],
      ["git_host_b", "group/app", "develop"],
    );
    assert.ok((await events(id)) > before, "the update is announced");
  });

  test("keeps what is omitted (rule 1)", async () => {
    const id = await createProject(stage, {
      notes: "Stays",
      custom_commands: { build: "make", install: "make deps" },
      shared_directories: ["storage"],
      max_memory: "512MB",
    });
    const { updated_at: _, ...before } = await readProject(stage, id);
    assert.equal((await update(stage, id, {})).status, 200);
    await update(stage, id, { git_repository: { branch: "next" }, custom_commands: { build: "make all" } });
    const { updated_at: __, ...now } = await readProject(stage, id);
    const custom_commands = { ...before.custom_commands, build: "make all" };
    assert.deepEqual(now, { ...before, repository_branch: "next", custom_commands });
  });

  test("does not start a deployment (rule 2)", async () => {
    const id = await createPreparedProject(stage, { framework_id: 4 });
    const [deployments, runs] = [await countOf("deployments"), await countOf("runs")];
    await update(stage, id, { custom_commands: { build: "make" }, max_memory: "1GB", framework: "fw_1" });
    assert.deepEqual([await countOf("deployments"), await countOf("runs")], [deployments, runs]);
  });

  test("applies markdown_negotiation_enabled to the server at once when it changes, and only then (rule 3)", async () => {
    const id = await createPreparedProject(stage, { framework_id: 10 });
    const published: string[] = [];
    const stop = await playServers(stage, (run) => {
      if (run.subject_id === id) published.push(run.plan.steps.at(-1)?.script ?? "");
      return {};
    });
    try {
      const reply = await update(stage, id, { markdown_negotiation_enabled: true });
      assert.equal(reply.body.message, "The project was updated, and the web server follows it.");
      assert.equal(published.length, 1);
      assert.match(published[0] as string, /location @markdown/);
      await update(stage, id, { markdown_negotiation_enabled: true, name: "Same" });
      assert.equal(published.length, 1, "nothing changed");
      await update(stage, id, { markdown_negotiation_enabled: false });
      assert.equal(published.length, 2);
      assert.doesNotMatch(published[1] as string, /location @markdown/);
    } finally {
      await stop();
    }
  });

  test("takes settings of the site back when the web server rejects them, and answers 422 with its reason", async () => {
    const id = await createPreparedProject(stage, { framework_id: 10 });
    const accepting = await playServers(stage, () => ({ output: "test is successful\n" }));
    const kept = { basic_auth: { username: "ali", password: "open sesame" }, max_upload_mb: 7, hsts_is_enabled: true };
    assert.equal((await update(stage, id, kept)).status, 200);
    await accepting();
    const siteOf = async () => {
      const { rows } = await stage.pool.query("select * from sites where project_id = $1", [id]);
      const { updated_at: _, basic_auth_version: __, ...site } = rows[0];
      return site;
    };
    const before = await siteOf();
    const stop = await playServers(stage, () => ({ exitCode: 1, output: "nginx rejects the new settings.\n" }));
    try {
      for (const change of [
        { markdown_negotiation_enabled: 1 },
        { max_upload_mb: 9, hsts_is_enabled: false, spa_fallback: true },
        { trusted_proxies: ["192.0.2.0/24"], redirect_status_code: 308 },
        { basic_auth: null },
        { basic_auth: { username: "bab", password: "another word" } },
        { basic_auth: { username: "ali", password: "another word" } },
      ]) {
        const { status, body } = await update(stage, id, change);
        assert.deepEqual([status, body.status], [422, "error"], JSON.stringify(change));
        assert.match(body.message, /^The change was taken back\. nginx rejects the new settings\.$/);
        assert.deepEqual(await siteOf(), before);
      }
      const both = await update(stage, id, { markdown_negotiation_enabled: 1, name: "Other" });
      assert.match(both.body.message, /taken back\..* The other settings of the request were saved\.$/);
      const { name, markdown_negotiation_enabled } = await readProject(stage, id);
      assert.deepEqual([both.status, name, markdown_negotiation_enabled], [422, "Other", false]);
    } finally {
      await stop();
    }
  });

  test("takes back all changes that no publication had accepted, and none that one had", async () => {
    const id = await createPreparedProject(stage, { framework_id: 10 });
    const ends: ((isRejected: boolean) => void)[] = [];
    const stop = await playServers(stage, async (run) => {
      if (run.subject_id !== id) return { output: "ok\n" };
      const isRejected = await new Promise<boolean>((resolve) => ends.push(resolve));
      return isRejected ? { exitCode: 1, output: "nginx rejects the new settings.\n" } : { output: "ok\n" };
    });
    const until = async (count: number) => {
      while (ends.length < count) await new Promise((next) => setImmediate(next));
    };
    try {
      const first = update(stage, id, { max_upload_mb: 7 });
      await until(1);
      const second = update(stage, id, { markdown_negotiation_enabled: 1 });
      while (!(await readProject(stage, id)).markdown_negotiation_enabled);
      const third = update(stage, id, { max_upload_mb: 8 });
      while ((await readProject(stage, id)).max_upload_mb !== 8);
      ends[0]?.(false);
      assert.equal((await first).status, 200);
      await until(2);
      ends[1]?.(true);
      await until(3);
      ends[2]?.(false);
      assert.deepEqual([(await second).status, (await third).status], [422, 422]);
      const { max_upload_mb, markdown_negotiation_enabled } = await readProject(stage, id);
      assert.deepEqual([max_upload_mb, markdown_negotiation_enabled], [7, false]);
    } finally {
      await stop();
    }
  });

  test("takes framework or framework_id; both have to be the same (rule 4)", async () => {
    const id = await createProject(stage, { framework_id: 5 });
    assert.equal((await update(stage, id, { framework: "fw_6" })).status, 200);
    assert.equal((await readProject(stage, id)).framework_id, 6);
    assert.equal((await update(stage, id, { framework_id: 7 })).status, 200);
    assert.equal((await update(stage, id, { framework: "fw_8", framework_id: 8 })).status, 200);
    const contradiction = errorsOf(await update(stage, id, { framework: "fw_5", framework_id: 6 }));
    assert.deepEqual(Object.keys(contradiction), ["framework"]);
    assert.deepEqual(Object.keys(errorsOf(await update(stage, id, { framework: "fw_11" }))), ["framework"]);
    assert.deepEqual(Object.keys(errorsOf(await update(stage, id, { framework_id: 11 }))), ["framework_id"]);
    assert.equal((await readProject(stage, id)).framework_id, 8);
  });

  test("switches only between frameworks of one runtime family (rule 5)", async () => {
    const families = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ];
    for (const family of families) {
      const id = await createProject(stage, { framework_id: family[0] });
      for (const framework of Array.from({ length: 10 }, (_, at) => at + 1)) {
        const reply = await update(stage, id, { framework_id: framework });
        assert.equal(reply.status, family.includes(framework) ? 200 : 422, `${family} to ${framework}`);
        if (reply.status === 422) assert.deepEqual(Object.keys(reply.body.errors), ["framework_id"]);
      }
      const named = await update(stage, id, { framework: family.includes(9) ? "fw_1" : "fw_9" });
      assert.deepEqual(Object.keys(errorsOf(named)), ["framework"]);
    }
  });

  test("an empty command is the default again (rule 6)", async () => {
    const commands = { dev: "d", install: "i", build: "b", directory: "app", custom: "c" };
    const id = await createProject(stage, { framework_id: 8, custom_commands: commands });
    assert.deepEqual((await readProject(stage, id)).custom_commands, commands);
    await update(stage, id, { custom_commands: { dev: "", install: "", build: "", directory: "", custom: "" } });
    const defaults = { dev: "npm start", install: "npm ci", build: "npm run build", directory: "", custom: "" };
    assert.deepEqual((await readProject(stage, id)).custom_commands, defaults);
  });

  test("a group of another organization is rejected as one that does not exist (rule 7)", async () => {
    const { app, cast } = stage;
    const id = await createProject(stage);
    const group = await call(app, "POST /api/v1/project-groups", { token: cast.charlie, body: { name: "Charlie's" } });
    const theirs = await update(stage, id, { project_group_id: group.body.data.id });
    const none = await update(stage, id, { project_group_id: 987_654 });
    assert.deepEqual(errorsOf(theirs), { project_group_id: "The project group does not exist." });
    assert.deepEqual([theirs.status, theirs.body], [none.status, none.body]);
    const created = await call(app, "POST /api/v1/projects", {
      token: cast.alice,
      body: {
        name: "In it",
        server_id: stage.serverId,
        domain: "in-it.example.com",
        framework_id: 10,
        git_repository: { repo: "https://git.example.com/a.git", type: "git", branch: "main" },
        project_group_id: group.body.data.id,
      },
    });
    assert.deepEqual(errorsOf(created), { project_group_id: "The project group does not exist." });
  });

  test("what a release has to answer is set with the project, and has defaults", async () => {
    const served = [
      "output_directory",
      "health_path",
      "health_status",
      "start_timeout_seconds",
      "spa_fallback",
      "node_version",
    ];
    const shown = async (id: number) => {
      const project = await readProject(stage, id);
      return served.map((name) => project[name]);
    };
    assert.deepEqual(await shown(await createProject(stage)), [null, "/", null, 60, null, null]);
    const own = {
      output_directory: ".",
      health_path: "/up",
      health_status: [204, 204],
      start_timeout_seconds: 5,
      spa_fallback: true,
      node_version: "22.12",
    };
    const id = await createProject(stage, own);
    assert.deepEqual(await shown(id), [".", "/up", [204], 5, true, "22.12"]);
    await update(stage, id, { health_status: [], output_directory: "" });
    assert.deepEqual(await shown(id), [null, "/up", null, 5, true, "22.12"]);
    await update(stage, id, own);
    await update(stage, id, { health_status: null, output_directory: null, spa_fallback: null, node_version: "" });
    assert.deepEqual(await shown(id), [null, "/up", null, 5, null, null]);
    for (const node_version of ["20", "22.12.0", "lts/*", "default", null]) {
      await update(stage, id, { node_version });
      assert.equal((await readProject(stage, id)).node_version, node_version);
    }
  });

  test("what a release has to answer is bounded", async () => {
    const id = await createProject(stage);
    const bad: [string, unknown[]][] = [
      ["output_directory", ["/etc", "../up", "a/../../b", ".git", "x".repeat(401), 7]],
      ["health_path", ["up", "", "/a b", "/a\r\nX: y", "/[1-9]", "/#x", `/${"x".repeat(500)}`, null]],
      ["health_status", [[199], [600], Array(21).fill(200), 200, ["200"]]],
      ["spa_fallback", [0, "true"]],
      ["php_version", ["8.0", "8.30", "8", "", 8.3, "8.4; reboot"]],
      ["node_version", ["v22", "22.x", ">=20", "../22", "lts/jod", "22\n", "$(id)", "1".repeat(21), 22]],
      ["start_timeout_seconds", [4, 601, 60.5, "60", null]],
    ];
    for (const [name, values] of bad) {
      for (const value of values) {
        const fields = Object.keys(errorsOf(await update(stage, id, { [name]: value })));
        assert.ok(fields.length === 1 && fields[0]?.startsWith(name), `${name} ${JSON.stringify(value)}`);
      }
    }
  });

  test("the version of PHP is that of a PHP project, one of those that there are", async () => {
    const php = await createProject(stage, { framework_id: 1, php_version: "8.4" });
    assert.equal((await readProject(stage, php)).php_version, "8.4");
    for (const php_version of ["8.1", "default", null]) {
      assert.equal((await update(stage, php, { php_version })).status, 200);
      assert.equal((await readProject(stage, php)).php_version, php_version);
    }
    const page = await createProject(stage, { framework_id: 10 });
    assert.match(
      String(errorsOf(await update(stage, page, { php_version: "8.4" })).php_version),
      /for projects that run on PHP; this one's framework is Static files/,
    );
    assert.equal((await update(stage, page, { php_version: null })).status, 200);
  });

  test("null and empty clear what can be cleared", async () => {
    const full = { max_memory: "1GB", shared_directories: ["a"], shared_files: ["b"], environment: "dev", notes: "n" };
    const cleared = { max_memory: null, shared_directories: [], shared_files: [], environment: null, notes: null };
    for (const empty of [null, ""]) {
      const id = await createProject(stage, full);
      const body = {
        max_memory: empty,
        shared_directories: empty,
        shared_files: empty,
        environment: null,
        notes: null,
      };
      assert.equal((await update(stage, id, body)).status, 200);
      const project = await readProject(stage, id);
      assert.deepEqual(Object.fromEntries(Object.keys(cleared).map((name) => [name, project[name]])), cleared);
    }
    const id = await createProject(stage, { ...full, shared_directories: ["a"] });
    await update(stage, id, { shared_directories: [] });
    assert.deepEqual((await readProject(stage, id)).shared_directories, []);
  });

  test("a new type alone is judged with the repository it has", async () => {
    const id = await createProject(stage, {
      git_repository: { repo: "acme/shop", type: "git_host_a", branch: "main" },
    });
    assert.equal((await update(stage, id, { git_repository: { type: "git_host_c" } })).status, 200);
    const errors = errorsOf(await update(stage, id, { git_repository: { type: "git" } }));
    assert.deepEqual(Object.keys(errors), ["git_repository.repo"]);
  });

  const createApp = async (): Promise<number> => {
    const id = await createProject(stage, { framework_id: 4 });
    await stage.pool.query(
      "update projects set source_type = 'app', app_slug = 'app_cms', repository = null, repository_type = null where id = $1",
      [id],
    );
    return id;
  };

  test("a catalog app has no deployments, and keeps its framework", async () => {
    const id = await createApp();
    const body = { auto_deploy_is_active: true, zero_downtime: false };
    assert.deepEqual(errorsOf(await update(stage, id, { ...body, framework_id: 1 })), {
      auto_deploy_is_active: "A catalog app has no deployments, so a push cannot start one.",
      zero_downtime: "A catalog app has no deployments that could be made in place.",
      framework_id: "A catalog app keeps its framework, PHP.",
    });
    assert.deepEqual(Object.keys(errorsOf(await update(stage, id, { framework: "fw_1" }))), ["framework"]);
    const present = { auto_deploy_is_active: 0, zero_downtime: true, framework: "fw_4", framework_id: 4 };
    assert.equal((await update(stage, id, present)).status, 200);
  });

  test("a catalog app has no repository", async () => {
    const id = await createApp();
    const errors = errorsOf(await update(stage, id, { git_repository: { branch: "main" } }));
    assert.deepEqual(Object.keys(errors), ["git_repository"]);
    assert.equal((await update(stage, id, { name: "Blog" })).status, 200);
  });

  test("everything bad is reported at once, whether the schema or a rule finds it", async () => {
    const id = await createProject(stage, { framework_id: 8 });
    const errors = errorsOf(
      await update(stage, id, {
        name: 7,
        framework_id: 1,
        project_group_id: 987_654,
        environment: "test",
        max_memory: "lots",
        custom_commands: { build: 1, directory: "../up" },
        git_repository: { branch: "-x" },
        shared_directories: ["/etc"],
        shared_files: "config",
        auto_deploy_is_active: 2,
      }),
    );
    assert.deepEqual(Object.keys(errors).sort(), [
      "auto_deploy_is_active",
      "custom_commands.build",
      "custom_commands.directory",
      "environment",
      "framework_id",
      "git_repository.branch",
      "max_memory",
      "name",
      "project_group_id",
      "shared_directories",
      "shared_files",
    ]);
    assert.ok(
      Object.values(errors).every((each) => /^(?:[A-Z]|auto_deploy_is_active ).*\.$/.test(each)),
      JSON.stringify(errors),
    );
  });

  test("a refused update changes nothing", async () => {
    const id = await createProject(stage);
    const before = await readProject(stage, id);
    await update(stage, id, { name: "Changed", max_memory: "lots" });
    assert.deepEqual(await readProject(stage, id), before);
  });

  test("updates of different fields at the same time all count", async () => {
    const id = await createProject(stage);
    const bodies = [
      { name: "Both" },
      { notes: "Both" },
      { custom_commands: { build: "b" } },
      { custom_commands: { install: "i" } },
      { max_memory: "1GB" },
    ];
    const replies = await Promise.all(bodies.map((body) => update(stage, id, body)));
    assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([200]));
    const { name, notes, custom_commands, max_memory } = await readProject(stage, id);
    assert.deepEqual(
      [name, notes, custom_commands.build, custom_commands.install, max_memory],
      ["Both", "Both", "b", "i", "1GB"],
    );
  });

  test("is for those who may: 403, 404", async () => {
    const { pool, cast } = stage;
    const id = await createProject(stage);
    assert.equal((await update(stage, id, { name: "x" }, cast.victor)).status, 403);
    assert.equal((await update(stage, id, { name: "x" }, await tokenOf(pool, "Alice", "project:read"))).status, 403);
    assert.equal((await update(stage, id, { name: "x" }, cast.charlie)).status, 404);
    assert.equal((await update(stage, id, { name: 7 }, cast.charlie)).status, 404, "before any field is looked at");
    assert.equal((await update(stage, 987_654, { name: "x" })).status, 404);
  });
});

describe("environment variables", () => {
  const set = (id: number, body: unknown, token = stage.cast.alice) =>
    call(stage.app, `PUT /api/v1/projects/${id}/environment-variables`, { token, body });
  const stored = async (id: number): Promise<Buffer | null> =>
    (await stage.pool.query("select environment_variables from projects where id = $1", [id])).rows[0]
      .environment_variables;

  test("are stored encrypted, as they were sent, and are in no answer", async () => {
    const text = "# comment\n\nAPP_KEY=\"two\nlines\"\nSECRET='it is $hidden'\nEMPTY=\n";
    const id = await createProject(stage);
    const reply = await set(id, { environment_variables: text });
    assert.equal(reply.status, 200);
    assert.deepEqual(Object.keys(reply.body).sort(), ["message", "status"]);
    const encrypted = (await stored(id)) as Buffer;
    assert.ok(!encrypted.includes("hidden"));
    assert.equal(stage.ctx.secrets.decrypt(encrypted), text);
    assert.ok(!JSON.stringify(await readProject(stage, id)).includes("hidden"));
    const list = await call(stage.app, "GET /api/v1/projects?per_page=100", { token: stage.cast.alice });
    assert.ok(!list.text.includes("hidden") && !list.text.includes("environment_variables"));
  });

  test("are refused with the number of the bad line, and without its text", async () => {
    const id = await createProject(stage, { environment_variables: "A=1" });
    const cases: [string, number][] = [
      ["A=1\nB=2\nthis is a secret\n", 3],
      ["=x", 1],
      ["A=1\n\n# fine\n2B=x", 4],
      ['A="never closed\nB=1', 1],
      ['A="two\nlines"\nsecret line', 3],
    ];
    for (const [text, line] of cases) {
      const errors = errorsOf(await set(id, { environment_variables: text }));
      assert.match(errors.environment_variables ?? "", new RegExp(`^Line ${line} `), text);
      assert.doesNotMatch(errors.environment_variables ?? "", /secret/);
    }
    assert.equal(stage.ctx.secrets.decrypt((await stored(id)) as Buffer), "A=1");
  });

  test("are required; an empty text removes them", async () => {
    const id = await createProject(stage, { environment_variables: "A=1" });
    for (const body of [{}, { environment_variables: null }, { environment_variables: ["A=1"] }]) {
      assert.deepEqual(Object.keys(errorsOf(await set(id, body))), ["environment_variables"]);
    }
    assert.equal((await set(id, { environment_variables: "" })).status, 200);
    assert.equal(await stored(id), null);
  });

  test("start no deployment, and are for those who may", async () => {
    const id = await createProject(stage);
    const before = await countOf("deployments");
    await set(id, { environment_variables: "A=1" });
    assert.equal(await countOf("deployments"), before);
    assert.equal((await set(id, { environment_variables: "A=1" }, stage.cast.victor)).status, 403);
    assert.equal((await set(id, { environment_variables: "A=1" }, stage.cast.charlie)).status, 404);
  });
});

describe("auto-deploy of many projects", () => {
  const bulk = (body: unknown, token = stage.cast.alice) =>
    call(stage.app, "PUT /api/v1/projects/bulk/auto-deploy", { token, body });
  const isOn = async (id: number) => (await readProject(stage, id)).auto_deploy_is_active;

  test("is turned on and off, and reports of how many", async () => {
    const ids = [await createProject(stage), await createProject(stage)];
    const on = await bulk({ project_ids: [...ids, ids[0]], auto_deploy_is_active: 1 });
    assert.deepEqual(on.body, { status: "success", updated_count: 2 });
    assert.deepEqual(await Promise.all(ids.map(isOn)), [1, 1]);
    assert.equal((await bulk({ project_ids: ids, auto_deploy_is_active: 0 })).body.updated_count, 2);
    assert.deepEqual(await Promise.all(ids.map(isOn)), [0, 0]);
  });

  test("is all or nothing: what is out of reach does not exist", async () => {
    const { pool, cast } = stage;
    const elsewhere = { ...stage, serverId: await insertServer(pool, cast.organizationId) };
    const [ours, theirs] = [await createProject(stage), await createProject(elsewhere)];
    await restrict(pool, "Bob", cast.organizationId, { servers: [stage.serverId] });
    try {
      const out = await bulk({ project_ids: [ours, theirs], auto_deploy_is_active: 1 }, cast.bob);
      const never = await bulk({ project_ids: [ours, 987_654], auto_deploy_is_active: 1 }, cast.bob);
      assert.deepEqual([out.status, never.status], [404, 404]);
      assert.equal(out.body.message.replace(String(theirs), "?"), never.body.message.replace("987654", "?"));
      assert.deepEqual([await isOn(ours), await isOn(theirs)], [0, 0]);
      assert.equal((await bulk({ project_ids: [ours], auto_deploy_is_active: 1 }, cast.bob)).status, 200);
    } finally {
      await pool.query("update memberships set restricted = false");
    }
  });

  test("needs both fields", async () => {
    assert.deepEqual(Object.keys(errorsOf(await bulk({}))), ["project_ids", "auto_deploy_is_active"]);
    const wrong = { project_ids: ["1"], auto_deploy_is_active: 2 };
    assert.deepEqual(Object.keys(errorsOf(await bulk(wrong))).sort(), ["auto_deploy_is_active", "project_ids.0"]);
    assert.deepEqual(Object.keys(errorsOf(await bulk({ project_ids: [], auto_deploy_is_active: 1 }))), ["project_ids"]);
  });
});

describe("the list of projects", () => {
  test("is filtered by group and environment, in pages of 10", async () => {
    const { app, cast } = stage;
    const token = cast.alice;
    const group = await call(app, "POST /api/v1/project-groups", { token, body: { name: "Filtered" } });
    const id = group.body.data.id;
    for (let count = 0; count < 12; count++) {
      const environment = [null, "production", "staging", "dev"][count % 4];
      await createProject(stage, { project_group_id: id, environment });
    }
    const list = async (query: string) => (await call(app, `GET /api/v1/projects?${query}`, { token })).body;
    const first = await list(`project_group_id=${id}`);
    assert.deepEqual([first.data.length, first.per_page, first.total_pages, first.total_items], [10, 10, 2, 12]);
    assert.equal((await list(`project_group_id=${id}&page=2`)).data.length, 2);
    assert.equal((await list(`project_group_id=${id}&per_page=1000`)).per_page, 100);
    assert.equal((await list(`project_group_id=${id}&per_page=-3`)).per_page, 10);
    assert.equal((await list(`project_group_id=${id}&per_page=many`)).per_page, 10);
    const staging = await list(`project_group_id=${id}&environment=staging`);
    assert.deepEqual(
      staging.data.map((each: { environment: string }) => each.environment),
      ["staging", "staging", "staging"],
    );
    assert.equal((await list("project_group_id=987654")).total_items, 0);
    const { status, body } = await call(app, "GET /api/v1/projects?environment=test&project_group_id=x", { token });
    assert.deepEqual([status, Object.keys(body.errors).sort()], [422, ["environment", "project_group_id"]]);
  });
});
