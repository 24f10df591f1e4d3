import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Site } from "../../../../host/nginx/model.ts";
import { nginxSite } from "../../../../host/nginx/site.ts";
import { directivesOf } from "../../../../host/nginx/tests/nginx.ts";
import { call } from "../../../../http/tests/support.ts";
import { findProjectForWork } from "../../../projects/queries.ts";
import { createProject, openStage, type Stage, update } from "../../../projects/tests/support.ts";
import { frontSite } from "../../front.ts";

// What a member of an organization sends as settings of a site, and what nginx's file becomes of it.

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

const injections = [
  ...['"', "'", ";", "{", "}", "\\", "#", "$host", "\n", "\r", "\u2028", "\u0000", " ", "%0a", "é", "", "*", "~^.*$"],
  ...['"; add_header X-Attack yes; #', "; } server { listen 80; server_name evil.test; }", "a\nreturn 418;"],
  ...["x".repeat(250), "x".repeat(1_950), "ä".repeat(1_000), "\ud800"],
];

/** The same site with harmless texts in the place of the users'. */
const harmless = (site: Site): Site => ({
  ...site,
  domains: site.domains.map((domain, at) => ({
    ...domain,
    name: `n${at}.test`,
    redirectTo: domain.redirectTo && "https://n0.test/x",
  })),
  proxies: site.proxies?.map((_, at) => `10.0.0.${at}`) ?? [],
});

test("the settings of a site put nothing into nginx's file but their values", async () => {
  const id = await createProject(stage, { framework_id: 1 });
  const ask = (line: string, body: object) => call(stage.app, line, { token: stage.cast.alice, body });
  const accepted: string[] = [];
  const attempt = async (what: string, reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply;
    assert.ok(status < 300 || status === 422, `${what}: ${status} ${text}`);
    if (status < 300) accepted.push(what);
    const project = await findProjectForWork(stage.pool, id);
    assert.ok(project);
    const site = frontSite(project);
    assert.deepEqual(directivesOf(nginxSite(site)), directivesOf(nginxSite(harmless(site))), what);
  };
  const target = await ask(`POST /api/v1/projects/${id}/domains`, { domain: "old.example.com" });
  for (const [at, text] of injections.entries()) {
    const domain = `d${at}${text}.example.com`;
    await attempt(`domain ${at}`, ask(`POST /api/v1/projects/${id}/domains`, { domain }));
    for (const url of [text, `https://a.test/${text}`, `https://a.test?${text}`, `https://a.test#${text}`]) {
      const line = `PUT /api/v1/projects/${id}/domains/${target.body.domain.id}/redirect`;
      await attempt(`redirect ${at}`, ask(line, { redirect_to: url }));
    }
    const settings = {
      trusted_proxies: [`10.0.0.1${text}`],
      max_upload_mb: `1${text}`,
      redirect_status_code: `301${text}`,
      spa_fallback: text,
      output_directory: text,
      shared_directories: [text],
      health_path: `/${text}`,
      name: text,
      basic_auth: { username: `a${text}`, password: "a long password" },
    };
    for (const [name, value] of Object.entries(settings))
      await attempt(`${name} ${at}`, update(stage, id, { [name]: value }));
  }
  for (const what of ["domain", "redirect", "trusted_proxies", "output_directory", "health_path", "basic_auth"])
    assert.ok(
      accepted.some((each) => each.startsWith(`${what} `)),
      `${what} was never accepted`,
    );
});
