import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { pino } from "pino";
import { rows, sql } from "../../../db/sql.ts";
import { routesOf } from "../../../features.ts";
import { buildApp } from "../../../http/app.ts";
import { authenticator } from "../../accounts/authenticator.ts";
import { ask, connect, createProject, follow, makeDue, openStage, reportKey, type Stage, sourceOf } from "./support.ts";

let stage: Stage;
/** The lines of a log that masks nothing itself. */
const lines: string[] = [];

before(async () => {
  const opened = await openStage();
  const ctx = { ...opened.ctx, log: pino({ level: "trace" }, { write: (line: string) => lines.push(line) }) };
  stage = { ...opened, ctx, app: buildApp(ctx, routesOf(), authenticator(ctx)) };
});
after(() => stage.close());

const types = ["git_host_a", "git_host_b", "git_host_c"] as const;

/**
 * Performs every operation on an account and a project's source, including failing ones. Returns the responses, which must show
 * no secret.
 */
async function live(type: (typeof types)[number]): Promise<{ hidden: string[]; answers: string[] }> {
  const host = stage.hosts[type];
  const { token } = host;
  host.addRepository("acme/shop");
  const answers: string[] = [];
  const request = async (line: string, body?: unknown) => {
    const reply = await ask(stage, line, body);
    answers.push(reply.text);
    return reply;
  };
  const credentials = { token: `${token}-wrong`, username: "bot@example.com" };
  await request("POST /api/v1/source-providers", { name: "Acme", provider_type: type, credentials });
  const account = await connect(stage, type);
  const id = await createProject(stage, { type });
  await reportKey(stage, id);
  const { webhook: former } = await sourceOf(stage, id);
  host.troubles.push({ line: /acme/, trouble: { status: 500 } }, { line: /acme/, trouble: { status: 403 } });
  await follow(stage, id);
  await ask(stage, `POST /api/v1/projects/${id}/source/secret`);
  const { webhook } = await sourceOf(stage, id);
  await makeDue(stage);
  await follow(stage, id);
  const repository = host.repositories.get("acme/shop") ?? assert.fail();
  for (const secret of [webhook.secret, former.secret]) {
    const hook = { id: "1", url: webhook.url, secret };
    const commits = { before: "1".repeat(40), after: "2".repeat(40) };
    const { headers, body } = host.dialect.deliver(repository, hook, { branch: "main", ...commits });
    const { pathname } = new URL(webhook.url);
    answers.push((await stage.app.inject({ method: "POST", url: pathname, headers, payload: body })).body);
    answers.push((await stage.app.inject({ method: "POST", url: `${pathname}x`, headers, payload: body })).body);
    answers.push((await stage.app.inject({ method: "GET", url: pathname })).body);
  }
  await request(`GET /api/v1/projects/${id}`);
  await request(`GET /api/v1/projects/${id}/deployments`);
  await request("GET /api/v1/source-providers");
  await request(`GET /api/v1/organizations/${stage.cast.organizationId}/audit-log`);
  host.troubles.push({ line: /^DELETE/, trouble: { status: 401 } });
  await request(`DELETE /api/v1/source-providers/${account}`);
  await follow(stage, id);
  // The last attempt.
  await stage.pool.query(
    "update source_registrations set obsolete_since = now() - interval '9 days' where state = 'obsolete'",
  );
  host.troubles.push({ line: /acme/, trouble: { status: 401 } });
  await follow(stage, id);
  const addresses = [webhook, former].map(({ url }) => url.split("/").at(-1) as string);
  return { hidden: [token, `${token}-wrong`, webhook.secret, former.secret, ...addresses], answers };
}

/** Every row of every table as text. */
async function everything(): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    stage.pool,
    sql`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'queue') and table_type = 'BASE TABLE'
    `,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows: all } = await stage.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    found.push(...all.map(({ text }) => `${name} ${text}`));
  }
  return found;
}

it("tokens, secrets and addresses of webhooks are in no log, no answer of others, and no table in clear", async () => {
  const lives = [];
  for (const type of types) lives.push(await live(type));
  const places = [...lines, ...lives.flatMap(({ answers }) => answers), ...(await everything())];
  assert.ok(lines.some((line) => line.includes("stays at the git host")) && lines.length > 50);
  for (const secret of lives.flatMap(({ hidden }) => hidden)) {
    const forms = [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64").slice(0, -4)];
    const shown = places.filter((place) => forms.some((form) => place.includes(form)));
    assert.deepEqual(shown, [], secret);
  }
});
