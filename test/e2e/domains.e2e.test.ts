import assert from "node:assert/strict";
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { after, afterEach, before, describe, it } from "node:test";
import type { ProjectUpdate } from "../../contract/types.ts";
import { waitFor } from "../../stage/api-client.ts";
import {
  changeServed,
  deployToEnd,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  startVisitor,
  waiting,
} from "../../stage/support.ts";

// Domains and settings of sites, as visitors see them on a real nginx.

let stage: Stage;
let project: Project;

const broken = "/etc/nginx/conf.d/broken-by-hand.conf";
const handMadeSite = "/etc/nginx/sites-enabled/made-by-hand.conf";
const siteFile = () => `/etc/nginx/sites-available/longshore-project-${project.id}.conf`;
const page = `<h1>Shop</h1>${"<p>Many words that can be sent in fewer bytes.</p>".repeat(100)}`;

before(async () => {
  stage = await openStage("domains");
  project = await install(stage, { name: "shop", files: { "index.html": page } });
}, lengthy);

afterEach(() => stage?.bash(`rm -f ${broken} ${handMadeSite}; systemctl stop holder.service 2> /dev/null || true`));

after(() => stage?.close());

interface Visit {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const visit = (host: string, path = "/", headers: Record<string, string> = {}, body = ""): Promise<Visit> =>
  new Promise((resolve, reject) => {
    const method = body === "" ? "GET" : "POST";
    const options = {
      ...{ host: stage.server.address, method, path, headers: { ...headers, host }, agent: false },
      maxHeaderSize: 128 * 1024,
    };
    const sent = request(options, async (response) => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body: await text(response) });
    });
    sent.on("error", reject).end(body);
  });

const adding = (domain: string) => ({ params: { id: project.id }, body: { domain } });
const add = (domain: string) => stage.client.success("POST /api/v1/projects/{id}/domains", adding(domain));
const remove = (domainId: number) =>
  stage.client("DELETE /api/v1/projects/{projectId}/domains/{domainId}", {
    params: { projectId: project.id, domainId },
  });
const update = (body: ProjectUpdate) => changeServed(stage, project, body);
const publish = () => stage.client("GET /api/v1/projects/{id}/publish", { params: { id: project.id } });
const list = async (): Promise<string[]> => {
  const { data } = await stage.client("GET /api/v1/projects/{id}/domains", { params: { id: project.id } });
  return data.map((each) => each.domain_name);
};

/** Adds a domain that the server accepts; returns its id. */
async function added(domain: string): Promise<number> {
  const { status, body } = await add(domain);
  assert.deepEqual([status, body.nginx_response?.ok], [201, true], body.message);
  return body.domain.id;
}

const where = async (host: string) => {
  const { status, headers } = await visit(host, "/x?y=1");
  return `${status} ${headers.location}`;
};

describe("domains on a server", () => {
  it("serve as soon as they are added, redirect as configured, and are gone when they are deleted", async () => {
    const id = await added("bücher.example.test");
    assert.match((await visit("xn--bcher-kva.example.test")).body, /Shop/);
    for (const code of [301, 302, 307, 308] as const) {
      await stage.client("PUT /api/v1/projects/{projectId}/domains/{domainId}/redirect", {
        params: { projectId: project.id, domainId: id },
        body: { redirect_to: "example.com", redirect_status_code: code },
      });
      assert.equal(await where("xn--bcher-kva.example.test"), `${code} https://example.com/x?y=1`);
    }
    assert.equal((await remove(id)).nginx_response?.ok, true);
    assert.equal((await visit("xn--bcher-kva.example.test")).status, 404);
  });

  it("follow www_redirect", async () => {
    const replace = (www_redirect: 0 | 1 | 2) =>
      stage.client("PUT /api/v1/projects/{id}/domains", {
        params: { id: project.id },
        body: { domains: [project.domain], www_redirect },
      });
    await replace(1);
    assert.equal(await where(`www.${project.domain}`), `301 http://${project.domain}/x?y=1`);
    await replace(2);
    assert.equal(await where(project.domain), `301 http://www.${project.domain}/x?y=1`);
    await replace(0);
    assert.equal((await visit(`www.${project.domain}`)).status, 404);
    assert.equal((await visit(project.domain)).status, 200);
  });

  it("are few reloads when many change at once, and no visitor notices", async () => {
    const published = "grep -lF 'The web server serves the project.' /var/lib/longshore/runs/*/journal | wc -l";
    const reloads = async () => Number(await stage.bash(published));
    const before = await reloads();
    const visitor = startVisitor(stage, project, (body) => body === page);
    const names = Array.from({ length: 12 }, (_, index) => `many-${index}.example.test`);
    // No reload starts before all have arrived, however long the API takes for that.
    await stage.bash(
      "mkdir -p /run/longshore; systemd-run --quiet --unit=holder flock /run/longshore/nginx.lock sleep infinity",
    );
    const tried = "flock -n /run/longshore/nginx.lock true || echo held";
    await waitFor("the lock", async () => (await stage.bash(tried)) === "held", waiting);
    const adding = Promise.all(names.map(added));
    await waitFor("all names to be there", async () => (await list()).length > names.length, waiting);
    await stage.bash("systemctl stop holder.service");
    const ids = await adding;
    for (const name of names) assert.equal((await visit(name)).status, 200);
    await Promise.all(ids.map(remove));
    const { visits, wrong } = await visitor.stop();
    assert.deepEqual(wrong, []);
    assert.ok(visits > 0);
    const count = (await reloads()) - before;
    assert.ok(count >= 2 && count <= 12, `${count} reloads for 24 changes`);
    assert.deepEqual(await list(), [project.domain]);
  });
});

describe("a publication", () => {
  it("is served when it is answered, also while an operator reloads nginx", async () => {
    const slow = "server { listen 80; server_name slow-$i.example.test; location / { return 204; } }";
    await stage.bash(`for i in $(seq 8000); do echo "${slow}"; done > ${handMadeSite}; systemctl reload nginx`);
    await added("meanwhile.example.test");
    assert.equal((await visit("meanwhile.example.test")).status, 200);
  });
});

describe("a publication beside a reload that waits for a port", () => {
  it("is served when it is answered", async () => {
    await stage.bash(`systemd-run --quiet --unit=holder systemd-socket-activate -l 8181 /bin/true
      until ss -ltn | grep -q ':8181 '; do :; done
      echo 'server { listen 8181; }' > ${broken}
      : > /var/log/nginx/error.log
      systemctl reload nginx
      until grep -q 'bind() to 0.0.0.0:8181 failed' /var/log/nginx/error.log; do :; done
      rm ${broken}`);
    const adding = added("patient.example.test");
    // nginx retries twice a second.
    await stage.bash("systemctl stop holder.service");
    await adding;
    assert.equal((await visit("patient.example.test")).status, 200);
  });
});

describe("what nginx refuses", () => {
  const assertRefused = async (name: string, reason: RegExp) => {
    const before = await stage.bash(`sha256sum ${siteFile()}`);
    const { status, body } = await stage.client.refusal("POST /api/v1/projects/{id}/domains", adding(name));
    assert.equal(status, 422, body.message);
    assert.match(body.message, reason);
    assert.ok(!(await list()).includes(name));
    assert.equal(await stage.bash(`sha256sum ${siteFile()}`), before);
    assert.equal((await visit(name)).status, 404);
    assert.equal((await visit(project.domain)).status, 200);
  };

  it("by its test is taken back, and answered in its words", async () => {
    await stage.bash(`echo 'nonsense_by_hand;' > ${broken}`);
    await assertRefused("refused.example.test", /taken back.*unknown directive "nonsense_by_hand"/);
  });

  it("for the sake of another site is taken back, and answered in its words", async () => {
    await stage.bash(`echo 'nonsense_in_a_site;' > ${handMadeSite}`);
    await assertRefused(
      "refused.example.test",
      /taken back.*nginx rejects the new settings: unknown directive "nonsense_in_a_site"/,
    );
  });

  it("only when it reloads is taken back as well", async () => {
    await stage.bash("systemd-run --quiet --unit=holder systemd-socket-activate -l 8181 /bin/true");
    await stage.bash("until ss -ltn | grep -q ':8181 '; do :; done");
    await stage.bash(`echo 'server { listen 8181; }' > ${broken}; nginx -t`);
    await assertRefused("refused.example.test", /nginx rejects the new settings: .*bind\(\) to 0.0.0.0:8181 failed/);
  });
});

describe("what an operator changed by hand", () => {
  const driftOf = async () =>
    (await stage.client("GET /api/v1/projects/{id}", { params: { id: project.id } })).web_server_drift;

  it("is kept beside before it is overwritten, and reported", async () => {
    assert.equal(await driftOf(), null);
    await stage.bash(`sed -i 's/^server {/server {\\n    # by hand/' ${siteFile()}`);
    const { body } = await add("drift.example.test");
    assert.match(body.nginx_response?.system_output.join("\n") ?? "", /was changed by hand; .* kept as /);
    const drift = await driftOf();
    assert.equal(drift?.file, siteFile());
    assert.match(await stage.bash(`cat ${drift?.kept_as}`), /# by hand/);
    assert.doesNotMatch(await stage.bash(`cat ${siteFile()}`), /# by hand/);
    assert.equal((await visit("drift.example.test")).status, 200);
  });

  it("is reported when it is a file that was removed", async () => {
    await stage.bash(`rm ${siteFile()}`);
    const { nginx_response } = await publish();
    assert.match(nginx_response?.system_output.join("\n") ?? "", /was removed by hand/);
    assert.equal((await driftOf())?.kept_as, null);
    assert.equal((await visit(project.domain)).status, 200);
  });

  it("is not what Longshore itself wrote, however often", async () => {
    const { nginx_response } = await publish();
    await added("quiet.example.test");
    assert.doesNotMatch(nginx_response?.system_output.join("\n") ?? "", /by hand/);
    assert.equal(await stage.bash(`ls ${siteFile()}.by-hand-* | wc -l`), "1");
  });
});

describe("a site", () => {
  it("is compressed as the browser likes it", async () => {
    const encoded = async (accept: string) =>
      (await visit(project.domain, "/", { "accept-encoding": accept })).headers["content-encoding"];
    assert.equal(await encoded("gzip"), "gzip");
    assert.equal(await encoded("gzip, br"), "br");
    assert.equal(await encoded("identity"), undefined);
  });

  it("asks for the password that is set, which is nowhere to be read", async () => {
    const secret = "correct horse battery";
    const message = await update({ basic_auth: { username: "ali", password: secret } });
    assert.match(message, /the web server follows it|The web server will follow/);
    const as = (word: string) => ({ authorization: `Basic ${Buffer.from(`ali:${word}`).toString("base64")}` });
    assert.equal((await visit(project.domain)).status, 401);
    assert.equal((await visit(project.domain, "/", as("wrong"))).status, 401);
    assert.equal((await visit(project.domain, "/", as(secret))).status, 200);
    const record = JSON.stringify(await stage.client("GET /api/v1/projects/{id}", { params: { id: project.id } }));
    assert.match(record, /"basic_auth_user":"ali"/);
    assert.doesNotMatch(record, /correct horse|\$6\$/);
    assert.equal(
      await stage.bash(`grep -rlE 'correct horse|[$]6[$]' /var/lib/longshore/runs ${siteFile()} || true`),
      "",
    );
    const deployment = await deployToEnd(stage, project);
    assert.equal(deployment.status, 1, deployment.error ?? "");
    await update({ basic_auth: { username: "ali", password: "another horse" } });
    assert.equal((await visit(project.domain, "/", as(secret))).status, 401);
    await update({ basic_auth: null });
    assert.equal((await visit(project.domain)).status, 200);
  });

  it("knows the password at each moment of a publication", async (t) => {
    await update({ basic_auth: { username: "ali", password: "correct horse battery" } });
    // Writes as slowly as a busy server.
    await stage.bash(`tee /usr/local/sbin/install > /dev/null <<'SCRIPT' && chmod +x /usr/local/sbin/install
#!/bin/bash
if [[ $* == *basic-auth* ]]; then (umask 077 && rm -f -- "\${!#}" && : > "\${!#}"); sleep 0.5; fi
exec /usr/bin/install "$@"
SCRIPT`);
    t.after(async () => {
      await stage.bash("rm /usr/local/sbin/install");
      await update({ basic_auth: null });
    });
    const authorization = `Basic ${Buffer.from("ali:correct horse battery").toString("base64")}`;
    const answers: number[] = [];
    let published = false;
    const publication = update({ max_upload_mb: 3 }).finally(() => (published = true));
    while (!published) answers.push((await visit(project.domain, "/", { authorization })).status);
    await publication;
    assert.deepEqual([...new Set(answers)], [200], `${answers.length} answers`);
  });

  it("takes uploads up to its size", async () => {
    await update({ max_upload_mb: 1 });
    assert.equal((await visit(project.domain, "/", {}, "x".repeat((1 << 20) + 1))).status, 413);
    await update({ max_upload_mb: 2 });
    assert.notEqual((await visit(project.domain, "/", {}, "x".repeat((1 << 20) + 1))).status, 413);
  });
});

describe("a site behind a proxy", () => {
  const seen = `<?php echo json_encode([$_SERVER['HTTPS'] ?? null, $_SERVER['SERVER_PORT'], $_SERVER['REQUEST_SCHEME'],
    $_SERVER['REMOTE_ADDR'], $_SERVER['HTTP_X_FORWARDED_HOST'] ?? null, strlen($_SERVER['HTTP_COOKIE'] ?? '')]);`;
  const server = `require("node:http").createServer(({ headers }, response) => {
    const { "x-forwarded-proto": scheme, "x-forwarded-port": port, "x-real-ip": address, "x-forwarded-host": host, cookie = "" } = headers;
    response.setHeader("set-cookie", Array(40).fill("c=" + "x".repeat(800))).end(JSON.stringify([scheme, port, address, host, cookie.length]));
  }).listen(process.env.PORT, process.env.HOST);`;
  const madeUp = { "x-forwarded-host": "evil.test", cookie: "c".repeat(32_000) };
  const reported = { ...madeUp, "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" };
  let php: Project;
  let node: Project;

  before(async () => {
    [php, node] = await Promise.all([
      install(stage, { name: "proxied-php", frameworkId: 4, files: { "index.php": seen } }),
      install(stage, {
        name: "proxied-node",
        frameworkId: 8,
        files: { "server.js": server, "package.json": '{"scripts":{"start":"node server.js"}}' },
      }),
    ]);
  }, lengthy);

  it("knows the scheme of its visitors from a trusted proxy, and from no other sender", async () => {
    const sees = async ({ domain }: Project): Promise<unknown[]> =>
      JSON.parse((await visit(domain, "/", reported)).body);
    const [, , , us] = await sees(php);
    assert.deepEqual(await sees(php), [null, "80", "http", us, null, 32_000]);
    assert.deepEqual(await sees(node), ["http", "80", us, node.domain, 32_000]);
    const trusted_proxies = [`${us}/32`, "2001:db8::/32"];
    await Promise.all([php, node].map((each) => changeServed(stage, each, { trusted_proxies })));
    assert.deepEqual(await sees(php), ["on", "443", "https", "203.0.113.9", null, 32_000]);
    assert.deepEqual(await sees(node), ["https", "443", "203.0.113.9", node.domain, 32_000]);
    assert.equal((await visit(node.domain)).headers["set-cookie"]?.length, 40);
  });
});

describe("logs", () => {
  const log = async (query: { type?: "error"; lines?: number; q?: string; since?: string }) =>
    (await stage.client("GET /api/v1/projects/{id}/logs", { params: { id: project.id }, query })).data;

  it("can be read to their end over the API", async () => {
    await visit(project.domain, "/seen-by-the-log");
    // nginx writes the line after the answer.
    const { type, lines } = await waitFor(
      "the visit to be in the log",
      async () => {
        const read = await log({ lines: 5 });
        return /GET \/seen-by-the-log/.test(read.lines.at(-1) ?? "") && read;
      },
      waiting,
    );
    assert.equal(type, "access");
    assert.ok(lines.length <= 5);
    assert.equal((await log({ type: "error" })).type, "error");
    const [entry] = (await log({ q: "get /SEEN-by", since: "1h" })).entries;
    assert.match(entry?.text ?? "", /GET \/seen-by-the-log/);
    assert.ok(Math.abs(Date.parse(entry?.at ?? "") - Date.now()) < 60_000, `${entry?.at}`);
    assert.deepEqual((await log({ q: "never asked for" })).lines, []);
    assert.equal((await stage.client.unchecked(`GET /api/v1/projects/${project.id}/logs?type=secret`)).status, 422);
  });

  it("are not more than nginx may open, also those of thousands of projects", async () => {
    const limits = await stage.bash("cat /proc/$(cat /run/nginx.pid)/limits");
    const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    assert.ok(Number(soft) >= 10_000, limits);
  });

  it("are rotated without a lost request or line", async () => {
    const stopping = new AbortController();
    const followed = await fetch(
      `${stage.platform.url}/api/v1/projects/${project.id}/logs/stream?type=access&q=ROTATION`,
      {
        headers: { authorization: `Bearer ${stage.platform.token}` },
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(60_000)]),
      },
    );
    const visitor = startVisitor(stage, project, (body) => body === page);
    await visit(project.domain, "/before-the-rotation");
    await stage.bash("logrotate --force /etc/logrotate.d/longshore");
    await visit(project.domain, "/after-the-rotation");
    const { wrong } = await visitor.stop();
    assert.deepEqual(wrong, []);
    const logs = `/srv/longshore/projects/${project.id}/logs`;
    const isWritten = async () => /after-the-rotation/.test(await stage.bash(`cat ${logs}/access.log`));
    await waitFor("the visit to be in the new log", isWritten, waiting);
    assert.match(await stage.bash(`cat ${logs}/access.log.1`), /seen-by-the-log/);
    assert.ok((await log({ lines: 1000 })).lines.some((line) => line.includes("seen-by-the-log")));
    let text = "";
    for await (const chunk of followed.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes("after-the-rotation")) break;
    }
    stopping.abort();
    const found = [...text.matchAll(/"text":"[^\n]*?(before|after)-the-rotation/g)].map(([, when]) => when);
    assert.deepEqual(found, ["before", "after"], text);
  });
});
