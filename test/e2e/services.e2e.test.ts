import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect } from "node:tls";
import { mustRun } from "../../sandbox/command.ts";
import { downServer, type SandboxServer } from "../../sandbox/sandbox.ts";
import { step } from "../../src/engine/runs/plan.ts";
import { FreshServer } from "../../src/features/servers/setup/tests/fresh-server.ts";
import { healthPaths, healthUnit } from "../../src/host/nginx/balancer-health.ts";
import { installMarkdown } from "../../src/host/nginx/markdown.ts";
import { withPrelude } from "../../src/host/runner/prelude.ts";
import { openSmtpStandIn, type SmtpStandIn } from "../../src/providers/notify/tests/stand-ins.ts";
import { type Api, api, waitFor } from "../../stage/api-client.ts";
import { provisionedServer, removeDirectory, startGitFor } from "../../stage/fixture.ts";
import type { GitServer } from "../../stage/git-server.ts";
import { type Authority, environmentOf, startAuthority } from "../../stage/pebble.ts";
import { primaryDomain, visit } from "../../stage/projects.ts";
import { install, lengthy, type Project, waiting } from "../../stage/support.ts";

const root = resolve(import.meta.dirname, "../..");
const source = ["longshore", "package.json", "package-lock.json", "src", "contract"];

/** By systemd-analyze security: from 0 (confined) to 10 (unconfined). */
const allowedExposure = 4;

let server: FreshServer;

before(async () => {
  server = await FreshServer.boot("services", "bookworm");
  const wanted = /^(package-lists|tools|git|node-.*)$/;
  assert.deepEqual(await server.failuresOf(server.steps().filter(({ key }) => wanted.test(key))), []);
}, lengthy);

after(() => server?.down());

async function exposureOf(unit: string): Promise<number> {
  const report = await server.bash(`systemctl daemon-reload; systemd-analyze security --no-pager ${unit}`);
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? [];
  assert.ok(exposure, report);
  return Number(exposure);
}

const data = "/var/lib/longshore-control";

describe("the control plane as the service of docs/operations.md", () => {
  const managed = `services-managed-${process.pid}`;
  let directory: string;
  let authority: Authority;
  let mail: SmtpStandIn;
  let git: GitServer;
  let origin: string;
  let client: Api;
  let token: string;
  let stage: { client: Api; serverId: number; git: GitServer; server: SandboxServer };
  let project: Project;

  before(async () => {
    const [, unit] = /```ini\n([^`]*)```/.exec(await readFile(join(root, "docs/operations.md"), "utf8")) ?? [];
    assert.ok(unit);
    await server.write("/etc/systemd/system/longshore.service", unit);
    const archive = await mustRun(["bash", "-c", `tar -cz ${source.join(" ")} | base64`], { cwd: root });
    await server.write("/root/longshore.tar.gz", archive);
    await server.bash(`
      useradd --system longshore
      mkdir /opt/longshore.new
      base64 -d /root/longshore.tar.gz | tar -xz -C /opt/longshore.new --no-same-owner
      cp -a /opt/longshore.new/. /opt/longshore
      chown longshore: /opt/longshore
      chown -R longshore: ${source.map((name) => `/opt/longshore/${name}`).join(" ")}
      systemctl daemon-reload`);
    directory = await mkdtemp(join(tmpdir(), "longshore-services-"));
    origin = `http://${server.address}:8080`;
  });

  after(async () => {
    await downServer(managed);
    await Promise.all([authority?.close(), mail?.close(), git?.close()]);
    if (directory) await removeDirectory(directory);
  });

  const healthy = () =>
    server.bash(
      "curl -s --fail --retry 1500 --retry-delay 1 --retry-all-errors -o /dev/null http://127.0.0.1:8080/api/v1/health",
    );

  it("installs, starts, answers and stops in order", lengthy, async () => {
    await server.bash("systemctl start longshore");
    await healthy();
    assert.equal(await server.bash(`stat -c '%a %U' ${data}`), "700 longshore");
    await server.bash("systemctl stop longshore");
    assert.equal(await server.bash("systemctl show -p Result --value longshore"), "success");
  });

  it("is confined", async () => {
    assert.ok((await exposureOf("longshore.service")) <= allowedExposure);
  });

  /** Settings of the operator, beside the unit, which stays as the document has it. */
  async function configure(): Promise<void> {
    const host = server.address.replace(/\d+$/, "1");
    authority = await startAuthority({ directory, host });
    mail = await openSmtpStandIn(host);
    const trustFile = "/etc/longshore-authority.pem";
    await server.write(trustFile, await readFile(authority.trustFile, "utf8"));
    const settings = {
      ...environmentOf({ ...authority, trustFile }),
      LONGSHORE_HOST: "0.0.0.0",
      LONGSHORE_RATE_LIMIT: "1000000",
      LONGSHORE_NODE_MIRROR: `http://${host}:${server.mirror.port}`,
      LONGSHORE_SMTP_URL: mail.url,
      LONGSHORE_NOTIFY_ALLOW: host,
    };
    const lines = Object.entries(settings).map(([name, value]) => `Environment=${name}=${value}`);
    await server.bash("mkdir -p /etc/systemd/system/longshore.service.d");
    const dropIn = "/etc/systemd/system/longshore.service.d/settings.conf";
    await server.write(dropIn, ["[Service]", ...lines, ""].join("\n"));
    await server.bash("systemctl daemon-reload; systemctl start longshore");
    await healthy();
  }

  const admin = async (args: string): Promise<Record<string, unknown>> => {
    const printed = await server.bash(
      `runuser -u longshore -- /opt/longshore/longshore admin ${args} --email you@example.com --json --data ${data}`,
    );
    return JSON.parse(printed.split("\n").at(-1) ?? "") as Record<string, unknown>;
  };

  it("has an owner, made beside it, who signs in", lengthy, async () => {
    await configure();
    await admin("user --name You --organization Home --password 'correct horse battery'");
    token = (await admin("token --name laptop --permissions '*'")).token as string;
    client = api({ url: origin, token });
    const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin },
      body: JSON.stringify({ email: "you@example.com", password: "correct horse battery" }),
    });
    assert.equal(answer.status, 200, await answer.text());
  });

  it("refuses its own addresses as servers", async () => {
    const answer = await client.refusal("POST /api/v1/servers", {
      body: { name: "itself", server_os: "debian_12", public_ip: server.address },
    });
    assert.equal(answer.status, 422);
    assert.match(answer.body.message, /it is Longshore's own/);
  });

  it("adds a server and sets it up", lengthy, async () => {
    const added = await provisionedServer({ client }, managed);
    git = await startGitFor(added.server, join(directory, "git"));
    stage = { client, git, ...added };
    await authority.pointAll(added.server.address);
  });

  it("deploys a project there", lengthy, async () => {
    project = await install(stage, { name: "site", files: { "index.html": "<h1>Site</h1>" } });
    const { status, body } = await visit({ address: stage.server.address, host: project.domain, path: "/" });
    assert.deepEqual([status, body], [200, "<h1>Site</h1>"]);
  });

  it("checks a monitor", lengthy, async () => {
    const { data } = await client("POST /api/v1/monitors", {
      body: {
        ...{ type: "http", name: "Site", monitorable_type: "App\\Models\\Project", monitorable_id: project.id },
        config: { url: `http://${project.domain}/`, confirmation_threshold: 1, interval_seconds: 60 },
      },
    });
    const watched = { params: { id: data.id } };
    const isUp = async () => (await client("GET /api/v1/monitors/{id}", watched)).data.current_status === "up";
    await waitFor("the monitor to be up", isUp, waiting);
  });

  it("orders a certificate", lengthy, async () => {
    const domain_id = await primaryDomain(client, project.id);
    const body = await client("POST /api/v1/certificates", { body: { project_id: project.id, domain_id } });
    assert.equal(body.status, "success", body.message);
    assert.equal(await shownName(stage.server, project.domain), `DNS:${project.domain}`);
  });

  it("passes dumps of databases through", lengthy, async () => {
    const params = { id: stage.serverId };
    const { data: created } = await client("POST /api/v1/servers/{id}/databases", { params, body: { name: "shop" } });
    const database = { ...params, database: created.id };
    const state = async () =>
      (await client("GET /api/v1/servers/{id}/databases/{database}", { params: database })).data.status;
    await waitFor("the database to be made", async () => (await state()) === 1, waiting);
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/octet-stream" };
    const dump = await client("GET /api/v1/servers/{id}/databases/{database}/dump", { params: database });
    const load = await fetch(`${origin}/api/v1/servers/${params.id}/databases/${created.id}/imports`, {
      method: "POST",
      headers,
      body: await new Response(dump).arrayBuffer(),
    });
    const { message, data: made } = (await load.json()) as { message: string; data: { id: number } };
    assert.equal(load.status, 202, message);
    const loading = { params: { ...database, import: made.id } };
    const loaded = async () =>
      (await client("GET /api/v1/servers/{id}/databases/{database}/imports/{import}", loading)).data.status === 1;
    await waitFor("the dump to be loaded", loaded, waiting);
  });

  it("sends mail", async () => {
    const { data } = await client("POST /api/v1/notification-channels", {
      body: { name: "Post", type: "email", target: "you@example.com", on: ["deployment.failed"] },
    });
    await client("POST /api/v1/notification-channels/{id}/test", { params: { id: data.id } });
    assert.deepEqual((await mail.mail(1)).to, ["you@example.com"]);
  });

  it("logged no error in all of this, and starts again", lengthy, async () => {
    await server.bash("systemctl restart longshore");
    await healthy();
    const errors = await server.bash(`journalctl -u longshore -o cat | grep -E '"level":"(error|fatal)"' || true`);
    assert.equal(errors, "");
  });

  it("knows its own addresses also where a unit forbids netlink", async () => {
    const program = `import("/opt/longshore/src/lib/addresses.ts").then((own) => console.log(own.ownAddresses()))`;
    const confined = (families: string) =>
      server.bash(`
        node=$(find /opt/longshore/node_modules/node-linux-*/bin /usr/local/bin -name node -print -quit)
        systemd-run --quiet --pipe --wait -p 'RestrictAddressFamilies=${families}' "$node" \
          -e 'try { os.networkInterfaces() } catch { console.log("forbidden") }; ${program}'`);
    const own = new RegExp(`'${server.address.replaceAll(".", "[.]")}'`);
    assert.match(await confined("AF_UNIX AF_INET AF_INET6 AF_NETLINK"), own);
    const forbidden = await confined("AF_UNIX AF_INET AF_INET6");
    assert.match(forbidden, /^forbidden/);
    assert.match(forbidden, own);
  });
});

/** The names in the certificate that visitors see. */
const shownName = ({ address }: SandboxServer, servername: string): Promise<string | undefined> =>
  new Promise((shown, reject) => {
    const socket = connect({ host: address, port: 443, servername, rejectUnauthorized: false }, () => {
      shown(socket.getPeerX509Certificate()?.subjectAltName);
      socket.destroy();
    });
    socket.on("error", reject);
  });

describe("a service that Longshore installs on servers", () => {
  it("is confined: pages as Markdown", async () => {
    const install = step("markdown", "Pages as Markdown", withPrelude("?", installMarkdown));
    assert.deepEqual(await server.failuresOf([install]), []);
    assert.ok((await exposureOf("longshore-markdown.service")) <= allowedExposure);
  });

  it("is confined: health of balanced nodes", async () => {
    await server.write(healthPaths.unit, healthUnit());
    assert.ok((await exposureOf(healthPaths.service)) <= allowedExposure);
  });
});
