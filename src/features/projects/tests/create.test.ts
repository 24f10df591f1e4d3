import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { domainName } from "../../../host/domain.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import { createProject, insertServer, openStage, projectBody, readProject, type Stage, update } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage?.close());

const create = (body: unknown, token = stage.cast.alice) => call(stage.app, "POST /api/v1/projects", { token, body });

const errorsOf = (reply: Reply): Record<string, string> => {
  assert.equal(reply.status, 422, reply.text);
  return reply.body.errors;
};

const count = async (table: "projects" | "domains" | "deployments"): Promise<number> =>
  (await stage.pool.query(`select count(*) from ${table}`)).rows[0].count;

describe("creating a project", () => {
  test("answers 201 with the id as a string, and queues the installation", async () => {
    const { status, body } = await create(projectBody(stage.serverId));
    assert.equal(status, 201);
    assert.equal(typeof body.project_id, "string");
    const project = await readProject(stage, Number(body.project_id));
    assert.deepEqual([project.installation_status, project.maintenance_mode, project.www_redirect], [0, false, 0]);
    assert.deepEqual([project.auto_deploy_is_active, project.ssl_is_enabled, project.environment], [0, 0, null]);
    const { rows } = await stage.pool.query("select status from deployments where project_id = $1", [project.id]);
    assert.deepEqual(rows, [{ status: 0 }]);
  });

  test("everything required is named when it is missing", async () => {
    assert.deepEqual(Object.keys(errorsOf(await create({}))).sort(), [
      "domain",
      "framework_id",
      "git_repository.branch",
      "git_repository.repo",
      "git_repository.type",
      "name",
      "server_id",
    ]);
  });

  test("everything bad is reported at once, whether the schema, a rule or the database finds it", async () => {
    await createProject(stage, { domain: "taken.example.com" });
    const before = [await count("projects"), await count("domains"), await count("deployments")];
    const errors = errorsOf(
      await create({
        name: 7,
        server_id: 987_654,
        domain: "Taken.Example.com",
        framework_id: 99,
        git_repository: { repo: "not a url", type: "git", branch: "a..b" },
        environment_variables: "A=1\nnot a line",
        www_redirect: 3,
        ssl_is_enabled: "yes",
        custom_commands: { directory: "/etc", build: 1 },
        environment: "test",
        project_group_id: 987_654,
        max_memory: "1KB",
        shared_directories: ["../x"],
        shared_files: [1],
      }),
    );
    assert.deepEqual(Object.keys(errors).sort(), [
      "custom_commands.build",
      "custom_commands.directory",
      "domain",
      "environment",
      "environment_variables",
      "framework_id",
      "git_repository.branch",
      "git_repository.repo",
      "max_memory",
      "name",
      "project_group_id",
      "server_id",
      "shared_directories",
      "shared_files.0",
      "ssl_is_enabled",
      "www_redirect",
    ]);
    assert.ok(
      Object.values(errors).every((each) => /^(?:[A-Z]|ssl_is_enabled ).*\.$/.test(each)),
      JSON.stringify(errors),
    );
    assert.match(errors.environment_variables ?? "", /^Line 2 /);
    assert.deepEqual([await count("projects"), await count("domains"), await count("deployments")], before);
  });

  test("needs a server of type 0 whose setup has ended, in reach", async () => {
    const { pool, cast } = stage;
    const of = (fields: object) => insertServer(pool, cast.organizationId, fields);
    const cases = [
      [await of({ type: 1 }), /must be an App server/],
      [await of({ status: 1 }), /has not ended yet/],
      [await insertServer(pool, cast.charlieOrganizationId), /does not exist/],
    ] as const;
    for (const [serverId, reason] of cases) {
      const errors = errorsOf(await create(projectBody(serverId)));
      assert.deepEqual(Object.keys(errors), ["server_id"]);
      assert.match(errors.server_id ?? "", reason);
    }
  });

  test("a domain is stored lowercase and as punycode, and belongs to one project of the installation", async () => {
    const { pool, cast } = stage;
    const id = await createProject(stage, { domain: " Bücher.Example.COM " });
    const { primary_domain, domains } = await readProject(stage, id);
    assert.equal(primary_domain, "xn--bcher-kva.example.com");
    assert.deepEqual([domains.length, domains[0].is_primary, domains[0].is_active], [1, 1, 1]);
    for (const same of ["bücher.example.com", "XN--BCHER-KVA.example.com"]) {
      assert.deepEqual(Object.keys(errorsOf(await create(projectBody(stage.serverId, { domain: same })))), ["domain"]);
    }
    const elsewhere = await insertServer(pool, cast.charlieOrganizationId);
    const reply = await create(projectBody(elsewhere, { domain: "bücher.example.com" }), cast.charlie);
    assert.deepEqual(Object.keys(errorsOf(reply)), ["domain"], "also for another organization");
  });

  test("of 200 creates of one domain at once, one is made", async () => {
    const before = [await count("projects"), await count("deployments")];
    const body = projectBody(stage.serverId, { domain: "race.example.com", framework_id: 8 });
    const replies = await Promise.all(Array.from({ length: 200 }, () => create(body)));
    const made = replies.filter((reply) => reply.status === 201);
    assert.equal(made.length, 1);
    const refused = replies.filter((reply) => reply.status === 422);
    assert.equal(
      refused.length,
      199,
      JSON.stringify(replies.find((reply) => ![201, 422].includes(reply.status))?.body),
    );
    assert.ok(refused.every((reply) => Object.keys(reply.body.errors).join() === "domain"));
    assert.deepEqual(
      [await count("projects"), await count("deployments")],
      before.map((number) => number + 1),
    );
    const { rows } = await stage.pool.query("select project_id from domains where domain_name = 'race.example.com'");
    assert.deepEqual(rows, [{ project_id: Number(made[0]?.body.project_id) }]);
  });

  test("Node projects made at once get pairs of ports of their own", async () => {
    const bodies = Array.from({ length: 20 }, () => projectBody(stage.serverId, { framework_id: 8 }));
    const replies = await Promise.all(bodies.map((body) => create(body)));
    const ports = await Promise.all(
      replies.map(async (reply) => Number((await readProject(stage, Number(reply.body.project_id))).port)),
    );
    assert.equal(new Set(ports).size, 20);
    assert.ok(ports.every((port) => port >= 20_000 && port % 2 === 0));
  });
});

const hostile = [
  "with spaces inside",
  " leading and trailing ",
  "\ttabs\tin\tit",
  "'single'",
  '"double"',
  "`backticks`",
  "it's; rm -rf /",
  "$(touch /tmp/owned)",
  "`touch /tmp/owned`",
  "$\u007bHOME}",
  "$IFS",
  "a && reboot",
  "a || reboot",
  "a | sh",
  "a > /etc/passwd",
  "a < /etc/shadow",
  "a & b",
  "line\nbreak",
  "line\r\nbreak",
  "carriage\rreturn",
  "nul\0byte",
  "\u0001control",
  "\u001b[31mred",
  "\u007f",
  "-leading-dash",
  "--upload-pack=touch /tmp/owned",
  "-oProxyCommand=reboot",
  "*",
  "a*b?c[d]",
  "{a,b}",
  "~root",
  "../../etc/passwd",
  "/etc/passwd",
  "./.",
  ".git/config",
  "back\\slash",
  "\\",
  "'",
  '"',
  "#comment",
  "!history!",
  "%00%0a%2e%2e",
  "<script>alert(1)</script>",
  "'; drop table projects; --",
  "{{template}}",
  "naïve café",
  "日本語テキスト",
  "😀👨‍👩‍👧‍👦",
  "\u202Eright to left",
  "zero\u200Bwidth",
  "\u2028line separator",
  "e\u0301 is not \u00e9",
  "\ud800",
  "null",
  "true",
  "0",
  "NaN",
  "[]",
  "__proto__",
  "constructor",
  "a".repeat(99),
  "a".repeat(101),
  "é".repeat(250),
  "a".repeat(5_000),
  "a b".repeat(100_000),
  "/".repeat(300),
];

/** Each text field of a project: its form in a request, and in the record. `undefined`: it is never shown. */
interface TextField {
  name: string;
  body: (text: string) => object;
  // biome-ignore lint/suspicious/noExplicitAny: the record as it was answered
  shown: (project: any) => unknown;
  /** The stored value, if it is not just the text. */
  stored?: (text: string) => unknown;
  /** Fields that an error may name. */
  errors: RegExp;
}

const repository = { repo: "https://git.example.com/acme/shop.git", type: "git", branch: "main" };

const command = (name: string, fallback: string): TextField => ({
  name: `custom_commands.${name}`,
  body: (text) => ({ custom_commands: { [name]: text } }),
  shown: (project) => project.custom_commands[name],
  stored: (text) => text || fallback,
  errors: new RegExp(`^custom_commands\\.${name}$`),
});

const list = (name: string): TextField => ({
  name,
  body: (text) => ({ [name]: [text] }),
  shown: (project) => project[name],
  stored: (text) => [text],
  errors: new RegExp(`^${name}(\\.0)?$`),
});

const plain = (name: string): TextField => ({
  name,
  body: (text) => ({ [name]: text }),
  shown: (project) => project[name],
  errors: new RegExp(`^${name}$`),
});

const textFields: TextField[] = [
  plain("name"),
  plain("notes"),
  { ...plain("max_memory"), stored: (text) => text || null },
  plain("environment"),
  list("shared_directories"),
  list("shared_files"),
  { ...plain("output_directory"), stored: (text) => text || null },
  { ...plain("node_version"), stored: (text) => text || null },
  plain("health_path"),
  command("dev", "npm start"),
  command("install", "npm ci"),
  command("build", "npm run build"),
  command("directory", ""),
  command("custom", ""),
  {
    name: "git_repository.repo",
    body: (text) => ({ git_repository: { ...repository, type: "git_host_a", repo: text } }),
    shown: (project) => project.repository,
    errors: /^git_repository\.repo$/,
  },
  {
    name: "git_repository.branch",
    body: (text) => ({ git_repository: { ...repository, branch: text } }),
    shown: (project) => project.repository_branch,
    errors: /^git_repository\.branch$/,
  },
  {
    name: "git_repository.type",
    body: (text) => ({ git_repository: { ...repository, type: text } }),
    shown: (project) => project.repository_type,
    errors: /^git_repository\.type$/,
  },
];

const onlyOnCreate: TextField[] = [
  {
    name: "domain",
    body: (text) => ({ domain: text }),
    shown: (project) => project.primary_domain,
    stored: (text) => domainName(text),
    errors: /^domain$/,
  },
  {
    name: "environment_variables",
    body: (text) => ({ environment_variables: text }),
    shown: () => undefined,
    stored: () => undefined,
    errors: /^environment_variables$/,
  },
];

const onlyOnUpdate: TextField[] = [{ ...plain("framework"), shown: () => undefined, stored: () => undefined }];

async function assertHarmless(field: TextField, text: string, reply: Reply, id: number): Promise<void> {
  const what = `${field.name} = ${JSON.stringify(text.slice(0, 60))}: ${reply.text.slice(0, 300)}`;
  if (reply.status === 422) {
    const named = Object.keys(reply.body.errors);
    assert.ok(named.length > 0 && named.every((name) => field.errors.test(name)), what);
    return;
  }
  assert.ok(reply.status === 200 || reply.status === 201, what);
  const expected = field.stored ? field.stored(text) : text;
  assert.deepEqual(field.shown(await readProject(stage, id)), expected, what);
}

describe("hostile text is stored as data, or refused with the name of its field", () => {
  for (const field of [...textFields, ...onlyOnCreate]) {
    test(`on create: ${field.name}`, async () => {
      const attempts = hostile.map(async (text) => {
        const reply = await create(projectBody(stage.serverId, field.body(text)));
        await assertHarmless(field, text, reply, Number(reply.body?.project_id));
      });
      await Promise.all(attempts);
    });
  }

  for (const field of [...textFields, ...onlyOnUpdate]) {
    test(`on update: ${field.name}`, async () => {
      const id = await createProject(stage);
      for (const text of hostile) await assertHarmless(field, text, await update(stage, id, field.body(text)), id);
    });
  }

  test("as environment variables: the text is kept to the byte", async () => {
    const id = await createProject(stage);
    for (const text of hostile) {
      const value = `A="${text.replaceAll(/["\\]/g, "\\$&")}"\n`;
      const body = { environment_variables: value };
      const reply = await call(stage.app, `PUT /api/v1/projects/${id}/environment-variables`, {
        token: stage.cast.alice,
        body,
      });
      if (reply.status === 422) {
        assert.deepEqual(Object.keys(reply.body.errors), ["environment_variables"]);
        continue;
      }
      assert.equal(reply.status, 200, JSON.stringify(text.slice(0, 60)));
      const { rows } = await stage.pool.query("select environment_variables from projects where id = $1", [id]);
      assert.equal(stage.ctx.secrets.decrypt(rows[0].environment_variables), value);
    }
  });

  test("commands and names take nearly everything", async () => {
    const id = await createProject(stage);
    for (const text of [
      "$(touch /tmp/owned)",
      "it's; rm -rf /",
      '"double"',
      "a && reboot",
      "日本語テキスト",
      "-leading",
    ]) {
      const reply = await update(stage, id, {
        name: text,
        custom_commands: { build: text },
        shared_directories: [text],
      });
      assert.equal(reply.status, 200, reply.text);
    }
  });
});
