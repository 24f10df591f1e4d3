import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { connect } from "node:tls";
import type { ServerRequest } from "../../contract/types.ts";
import { type AppsMirror, startAppsMirror } from "../../sandbox/apps-mirror/server.ts";
import { ensureBridgeAddress } from "../../sandbox/network.ts";
import { type NodeMirror, startNodeMirror } from "../../sandbox/node-mirror.ts";
import { downServer } from "../../sandbox/sandbox.ts";
import { makeKeyPair } from "../../src/host/ssh/key-pair.ts";
import {
  type HttpStandIn,
  openHttpStandIn,
  openSmtpStandIn,
  type SmtpStandIn,
} from "../../src/providers/notify/tests/stand-ins.ts";
import { type Api, api, deploy, deploymentEnd, waitFor } from "../../stage/api-client.ts";
import { provisionedImage, provisionedServer, readServer, removeDirectory, startGitFor } from "../../stage/fixture.ts";
import type { GitServer } from "../../stage/git-server.ts";
import { type Authority, environmentOf, startAuthority } from "../../stage/pebble.ts";
import { primaryDomain, visit } from "../../stage/projects.ts";
import { bashOn } from "../../stage/stage.ts";
import { createProject, endOf, install, lengthy, type Project, type Stage, waiting } from "../../stage/support.ts";
import { type Clouds, credentials, startClouds } from "../clouds/all.ts";
import { sandboxMachines } from "../clouds/machines.ts";
import { dialectA } from "../git-hosts/git-host-a.ts";
import { GitHost, type HostedRepository } from "../git-hosts/host.ts";
import { type GitSshServer, repositoriesIn, startGitSsh } from "../git-ssh.ts";
import { installEnd } from "./apps-support.ts";
import { type InstalledService, installService, makePackage } from "./installed-service.ts";

// Each feature once, with the control plane inside of the unit of an installed service: a line of that unit that takes away a right
// which a feature needs fails here. test/system-uses.test.ts names, for each use of the operating system, the test that makes it.

/** By systemd-analyze security: from 0 (confined) to 10 (unconfined). */
const allowedExposure = 4;
const managed = `unit-managed-${process.pid}`;
const password = "correct horse battery";

let directory: string;
/** Of this machine, as the servers see it. */
let host: string;
let service: InstalledService;
let client: Api;
let token: string;
let stage: Pick<Stage, "client" | "serverId" | "server" | "git" | "bash">;
/** A site of static files on the managed server. */
let site: Project;

// The outside world: stand-ins on this machine.
let authority: Authority;
let mail: SmtpStandIn;
let webhook: HttpStandIn;
let gitHost: GitHost;
let git: GitServer;
let gitSsh: GitSshServer;
let apps: AppsMirror;
let nodes: NodeMirror;
let machines: ReturnType<typeof sandboxMachines>;
let clouds: Clouds;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-unit-"));
  host = await ensureBridgeAddress();
  authority = await startAuthority({ directory, host });
  mail = await openSmtpStandIn(host);
  webhook = await openHttpStandIn(host);
  gitHost = await new GitHost(dialectA).listen(host);
  apps = await startAppsMirror();
  machines = sandboxMachines({ prefix: `unit-cloud-${process.pid}`, image: await provisionedImage() });
  clouds = await startClouds({ machines, host });
  nodes = await startNodeMirror({ host });
  service = await installService(`unit-${process.pid}`, await makePackage(join(directory, "package")), settings);
}, lengthy);

after(async () => {
  await downServer(managed);
  await gitSsh?.close();
  await clouds?.close();
  await Promise.all([authority, mail, webhook, gitHost, git, apps, nodes].map((standIn) => standIn?.close()));
  await service?.down();
  if (directory) await removeDirectory(directory);
});

async function settings({ url, write }: Pick<InstalledService, "url" | "write">): Promise<Record<string, string>> {
  const trustFile = "/etc/longshore-authority.pem";
  const trusted = [await readFile(authority.trustFile, "utf8"), await authority.root()].join("\n");
  await write(trustFile, trusted);
  // Where newer versions would come from.
  const releases = "/srv";
  await write(`${releases}/SHA256SUMS`, `${"0".repeat(64)}  longshore-99.0.0.tgz\n`);
  return {
    ...environmentOf({ ...authority, trustFile }),
    // For checks of sites whose certificates the authority has issued.
    NODE_EXTRA_CA_CERTS: trustFile,
    LONGSHORE_PUBLIC_URL: url,
    LONGSHORE_METRICS_PORT: "9100",
    LONGSHORE_DRAIN_SECONDS: "4",
    LONGSHORE_RATE_LIMIT: "1000000",
    LONGSHORE_NODE_MIRROR: nodes.url,
    LONGSHORE_APPS_MIRROR: `http://${host}:${apps.port}`,
    LONGSHORE_APPS_CHECKSUMS: "off",
    LONGSHORE_SMTP_URL: mail.url,
    LONGSHORE_NOTIFY_ALLOW: host,
    LONGSHORE_UPDATE_CHECK: "on",
    LONGSHORE_UPDATE_SOURCE: releases,
    LONGSHORE_GIT_HOST_A_API_URL: gitHost.apiUrl,
    LONGSHORE_CLOUD_A_URL: clouds.settings.cloudAUrl,
  };
}

async function exposure(): Promise<number> {
  const report = await service.bash("systemd-analyze security --no-pager longshore.service");
  const [, found] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? [];
  assert.ok(found, report);
  return Number(found);
}

/** What a visitor without an account gets from the control plane. */
async function page(path: string, headers: Record<string, string> = { Accept: "text/html" }) {
  const answer = await fetch(`${service.url}${path}`, { headers });
  return { status: answer.status, text: await answer.text() };
}

const soon = { timeoutMs: 60_000 };

const served = async (project: Project): Promise<string> => (await visitSite(project)).body;

const visitSite = ({ domain }: Project, address = stage.server.address) => visit({ address, host: domain, path: "/" });

/** The names in the certificate that visitors see. */
const shownName = (address: string, servername: string): Promise<string | undefined> =>
  new Promise((shown, reject) => {
    const socket = connect({ host: address, port: 443, servername, rejectUnauthorized: false }, () => {
      shown(socket.getPeerX509Certificate()?.subjectAltName);
      socket.destroy();
    });
    socket.on("error", reject);
  });

/** Reads a stream of events from now on; `until` resolves when its text matches. */
async function follow(t: TestContext, opened: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>) {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const stream = await opened(stop.signal);
  let text = "";
  const reading = (async () => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) text += part;
  })();
  reading.catch(() => {});
  return { until: (what: RegExp) => waitFor(`${what} in a stream`, () => what.test(text), soon) };
}

describe("inside of the unit, Longshore", () => {
  it("starts, answers and is confined", lengthy, async () => {
    assert.equal(await service.bash("stat -c '%a %U' /var/lib/longshore-control"), "700 longshore");
    const users = await service.bash("ps -o user= --ppid $(systemctl show -p MainPID --value longshore) | sort -u");
    assert.equal(users, "longshore");
    assert.ok((await exposure()) <= allowedExposure, `${await exposure()}`);
  });

  it("makes the first account with the code of its installation, and signs it in", async () => {
    const [, code] = /\/setup#(\S+)$/.exec(service.setupUrl) ?? [];
    const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${service.url}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Origin: service.url, ...headers },
        body: JSON.stringify(body),
      });
      assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
      return answer;
    };
    const alice = { name: "Alice", email: "alice@example.com", password, organization: "Harbour" };
    await send("/api/v1/setup", { code, ...alice });
    const signedIn = await send("/api/auth/sign-in/email", { email: alice.email, password });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
    const made = await send("/api/v1/me/tokens", { name: "tests", permissions: ["*"] }, { Cookie: cookie });
    token = ((await made.json()) as { data: { token: string } }).data.token;
    client = api({ url: service.url, token });
    assert.equal((await client("GET /api/v1/me")).data.email, alice.email);
  });

  it("is administered beside the running service", async () => {
    const added = await service.admin("user --email bob@example.com --name Bob --password 'another horse battery'");
    assert.ok(Number(added.user_id) > 0, JSON.stringify(added));
  });

  it("serves the web console and the documentation of the API", async () => {
    const console = await page("/sign-in");
    assert.equal(console.status, 200);
    const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(console.text) ?? [];
    assert.equal((await page(script)).status, 200, console.text);
    const { text } = await page("/docs");
    assert.match(text, /Longshore/);
  });

  it("looks for a newer release", async () => {
    const newest = async () => (await client("GET /api/v1/version")).data.newest_version === "99.0.0";
    await waitFor("the newest release to be known", newest, soon);
  });

  it("refuses its own addresses as servers", async () => {
    const { status, body } = await client.refusal("POST /api/v1/servers", {
      body: { name: "itself", server_os: "debian_12", public_ip: service.address },
    });
    assert.equal(status, 422);
    assert.match(body.message, /it is Longshore's own/);
  });

  it("adds a server over SSH and sets it up", lengthy, async () => {
    const added = await provisionedServer({ client }, managed);
    git = await startGitFor(added.server, join(directory, "git"));
    stage = { client, git, bash: bashOn(managed), ...added };
    await authority.pointAll(added.server.address);
  });

  it("deploys static files, PHP and Node from a git server", lengthy, async () => {
    const node = `require("node:http").createServer((_, response) => response.end("node")).listen(process.env.PORT, "127.0.0.1");`;
    const [files, php, app] = await Promise.all([
      install(stage, { name: "site", files: { "index.html": "files" } }),
      install(stage, { name: "php", frameworkId: 4, files: { "public/index.php": "<?= 'p' . 'hp' ?>" } }),
      install(stage, {
        ...{ name: "app", frameworkId: 8, files: { "server.js": node } },
        commands: { install: "true", build: "true", dev: "node server.js" },
      }),
    ]);
    site = files;
    assert.deepEqual(await Promise.all([files, php, app].map(served)), ["files", "php", "node"]);
  });

  it("deploys a private repository over SSH, and again when its host reports a push", lengthy, async () => {
    gitSsh = await startGitSsh({
      host,
      repositoryOf: repositoriesIn(join(directory, "git")),
      keysOf: (path) => gitHost.repositories.get(path)?.keys.map(({ key }) => key) ?? [],
    });
    const first = await git.createRepository("shop", { files: { "index.html": "version 1" } });
    const repository = gitHost.addRepository("acme/shop", { sshUrl: gitSsh.urlOf("acme/shop") });
    await client("POST /api/v1/source-providers", {
      body: { name: "Acme", provider_type: "git_host_a", credentials: { token: gitHost.token } },
    });
    const source = { branch: "main", repo: "acme/shop", type: "git_host_a" } as const;
    const shop = await createProject(stage, {
      name: "shop",
      more: { auto_deploy_is_active: 1, git_repository: source },
    });
    await waitFor("version 1", async () => (await served(shop)) === "version 1", waiting);
    await waitFor("the webhook to be registered", () => repository.hooks.length === 1, soon);
    const after = await git.commit("shop", { files: { "index.html": "version 2" } });
    assert.equal(await push(repository, { before: first, after }), 202);
    await waitFor("version 2", async () => (await served(shop)) === "version 2", waiting);
  });

  async function push(repository: HostedRepository, commits: { before: string; after: string }): Promise<number> {
    const [hook] = repository.hooks;
    assert.ok(hook);
    const pushed = dialectA.deliver(repository, hook, {
      branch: "main",
      author: "Jane",
      message: "Second",
      ...commits,
    });
    return (await fetch(hook.url, { method: "POST", ...pushed })).status;
  }

  it("shows logs and events while they are written", lengthy, async (t) => {
    const params = { id: site.id };
    const events = await follow(t, (signal) => client("GET /api/v1/events", { signal }));
    const visits = await follow(t, (signal) =>
      client("GET /api/v1/projects/{id}/logs/stream", { params, query: { type: "access" }, signal }),
    );
    const command = "echo be''gun; until [[ -e continue ]]; do sleep 0.1; done; echo en''ded";
    const { data } = await client("POST /api/v1/projects/{id}/commands", { params, body: { command } });
    const of = { params: { ...params, commandId: data.id } };
    const log = await follow(t, (signal) =>
      client("GET /api/v1/projects/{id}/commands/{commandId}/log/stream", { ...of, signal }),
    );
    await log.until(/begun/);
    await stage.bash(`touch ${site.home}/current/continue`);
    await log.until(/ended/);
    await events.until(/^event: command\.updated$/m);
    await visitSite(site);
    await visits.until(/GET \/ /);
  });

  it("runs jobs, and takes the reports of their servers", lengthy, async () => {
    const params = { id: site.id };
    const job = { name: "Copy", command: "echo all copied", cron_expression: "0 3 * * *" };
    const { data: scheduled } = await client("POST /api/v1/projects/{id}/scheduler-jobs", { params, body: job });
    const { data: monitor } = await client("POST /api/v1/monitors", {
      body: {
        ...{ type: "heartbeat", name: "Copy", config: {} },
        ...{ monitorable_type: "App\\Models\\SchedulerJob", monitorable_id: scheduled.id },
      },
    });
    const of = { params: { ...params, jobId: scheduled.id } };
    const isActive = async () =>
      (await client("GET /api/v1/projects/{id}/scheduler-jobs/{jobId}", of)).data.status === "active";
    await waitFor("the job to be set up", isActive, waiting);
    await client("POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run", of);
    const isUp = async () =>
      (await client("GET /api/v1/monitors/{id}", { params: { id: monitor.id } })).data.last_ping?.kind === "success";
    await waitFor("the report", isUp, waiting);
  });

  it("makes, dumps and loads a database", lengthy, async () => {
    const params = { id: stage.serverId };
    const { data: made } = await client("POST /api/v1/servers/{id}/databases", { params, body: { name: "stock" } });
    const database = { params: { ...params, database: made.id } };
    const isMade = async () =>
      (await client("GET /api/v1/servers/{id}/databases/{database}", database)).data.status === 1;
    await waitFor("the database to be made", isMade, waiting);
    await stage.bash("mariadb stock <<< 'CREATE TABLE boxes (id INT); INSERT INTO boxes VALUES (7)'");
    const dump = await client("GET /api/v1/servers/{id}/databases/{database}/dump", database);
    const copy = await new Response(dump).arrayBuffer();
    await stage.bash("mariadb stock <<< 'DROP TABLE boxes'");
    const sent = await fetch(`${service.url}/api/v1/servers/${params.id}/databases/${made.id}/imports`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/octet-stream" },
      body: copy,
    });
    const { message, data } = (await sent.json()) as { message: string; data: { id: number } };
    assert.equal(sent.status, 202, message);
    const loading = { params: { ...database.params, import: data.id } };
    const isLoaded = async () =>
      (await client("GET /api/v1/servers/{id}/databases/{database}/imports/{import}", loading)).data.status === 1;
    await waitFor("the dump to be loaded", isLoaded, waiting);
    assert.equal(await stage.bash("mariadb -N stock <<< 'SELECT id FROM boxes'"), "7");
  });

  it("checks where a domain points, and issues a certificate", lengthy, async () => {
    const checked = await client("GET /api/v1/projects/{id}/check-ns", { params: { id: site.id } });
    assert.ok(JSON.stringify(checked).includes(stage.server.address), JSON.stringify(checked));
    const body = { project_id: site.id, domain_id: await primaryDomain(client, site.id) };
    const issued = await client("POST /api/v1/certificates", { body });
    assert.equal(issued.status, "success", issued.message);
    assert.equal(await shownName(stage.server.address, site.domain), `DNS:${site.domain}`);
  });

  it("installs an application of the catalog", lengthy, async () => {
    const body = { name: "Databases", domain: "databases.example.test", app_slug: "app_dbadmin" };
    const { data } = await client("POST /api/v1/projects/install", { body: { server_id: stage.serverId, ...body } });
    const ended = await installEnd(stage, data.id);
    assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
  });

  it("checks sites over HTTP and TLS by their names in the DNS", lengthy, async () => {
    const monitors = await Promise.all(["http", "https"].map((scheme) => watch(`${scheme}://${site.domain}/`)));
    const body = { name: "Status", slug: "status", monitors: monitors.map((id) => ({ id })) };
    await client("POST /api/v1/status-pages", { body });
    assert.match((await page("/status/status")).text, /https?:\/\/|Status/);
  });

  /** A monitor of the site, after its first checks succeeded. */
  async function watch(url: string): Promise<number> {
    const expected = url.startsWith("https:") ? {} : { expected_status: 301 };
    const { data } = await client("POST /api/v1/monitors", {
      body: {
        ...{ type: "http", name: url, monitorable_type: "App\\Models\\Project", monitorable_id: site.id },
        config: { url, confirmation_threshold: 1, interval_seconds: 60, ...expected },
      },
    });
    await waitFor(
      `${url} to be up`,
      async () => {
        const { current_status: status, events } = (
          await client("GET /api/v1/monitors/{id}", { params: { id: data.id } })
        ).data;
        assert.notEqual(status, "down", JSON.stringify(events));
        return status === "up";
      },
      waiting,
    );
    return data.id;
  }

  it("sends notifications by mail and to a webhook", async () => {
    const channels = [
      { name: "Post", type: "email", target: "alice@example.com" },
      // Over the name service of the system, with its files.
      { name: "Chat", type: "webhook", target: webhook.url.replace(host, "stand-in.test") },
    ] as const;
    await service.bash(`echo '${host} stand-in.test' >> /etc/hosts`);
    for (const channel of channels) {
      const body = { ...channel, on: ["deployment.failed"] } as const;
      const { data } = await client("POST /api/v1/notification-channels", { body });
      const { data: delivery } = await client("POST /api/v1/notification-channels/{id}/test", {
        params: { id: data.id },
      });
      assert.equal(delivery.error ?? null, null, JSON.stringify(delivery));
    }
    assert.deepEqual((await mail.mail(1)).to, ["alice@example.com"]);
    assert.ok((await webhook.request(1)).body);
  });

  it("gives a person's key access to a server", lengthy, async () => {
    const { publicKey } = makeKeyPair("alice@laptop");
    const { data } = await client("POST /api/v1/ssh-keys", { body: { name: "Laptop", public_key: publicKey } });
    const onServer = { params: { id: stage.serverId } };
    await client("POST /api/v1/servers/{id}/ssh-access", { ...onServer, body: { ssh_key_id: data.id } });
    const isThere = async () =>
      (await client("GET /api/v1/servers/{id}/ssh-access", onServer)).data[0]?.sync.state === "applied";
    await waitFor("the key to be there", isThere, waiting);
  });

  it("orders a server from a provider, moves a project there and back, and deletes it", lengthy, async () => {
    const connection = { name: "Cloud", provider_type: "cloud_a", credentials: credentials.cloud_a } as const;
    const { data: provider } = await client("POST /api/v1/server-providers", { body: connection });
    const order: ServerRequest = {
      ...{ provider_type: "cloud_a", provider_id: provider.id, server_os: "ubuntu_24_04" },
      ...{ cloud_a_location: "fsn1", cloud_a_server_type: "cx23" },
    };
    const { server_id: ordered } = await client("POST /api/v1/servers", { body: order });
    const isUp = async () => (await readServer(client, ordered)).server_status === 10;
    await waitFor("the ordered server", isUp, waiting);
    const { public_ip: address } = await readServer(client, ordered);
    assert.ok(address);
    await move(site, ordered);
    assert.equal(await shownName(address, site.domain), `DNS:${site.domain}`);
    await move(site, stage.serverId);
    await client("DELETE /api/v1/servers/{id}", { params: { id: ordered } });
    await waitFor("nothing to be left at the provider", () => clouds.a.servers.size === 0, waiting);
  });

  /** Waits until what the project had there before is removed. */
  async function move({ id }: Project, to: number): Promise<void> {
    const body = { server_id: to };
    const moved = await waitFor(
      "the move to be accepted",
      async () => {
        const answer = await client.answer("POST /api/v1/projects/{id}/move", { params: { id }, body });
        return answer.ok && answer.body.deployment_id;
      },
      waiting,
    );
    const ended = await deploymentEnd(client, moved, waiting);
    assert.equal(ended.status, 1, String(ended.error));
  }

  it("shows its metrics", async () => {
    const answer = await fetch(`http://${service.address}:9100/metrics`);
    const metrics = await answer.text();
    for (const name of ["process_resident_memory_bytes", "process_open_fds", "longshore_servers"]) {
      assert.match(metrics, new RegExp(`^${name}\\b.* \\d`, "m"));
    }
  });

  // What follows are outages.
  it("has logged no error in all of this", async () => {
    const lines = (await service.journal()).split("\n");
    assert.deepEqual(
      lines.filter((line) => /"level":"(error|fatal)"/.test(line)),
      [],
    );
  });

  const mainProcess = () => service.bash("systemctl show -p MainPID --value longshore");

  it("restarts its PostgreSQL after that was killed", lengthy, async () => {
    const before = await mainProcess();
    await service.bash("kill -KILL $(head -n 1 /var/lib/longshore-control/postgres/data/postmaster.pid)");
    await waitFor("the outage to end", async () => (await client.answer("GET /api/v1/me")).ok, soon);
    await service.untilHealthy();
    assert.equal(await mainProcess(), before);
    assert.match(await service.journal(), /embedded PostgreSQL ended unexpectedly/);
  });

  it("starts again after all of it was killed", lengthy, async () => {
    const before = await mainProcess();
    await service.bash(
      "systemctl kill --kill-whom=all --signal=KILL longshore || systemctl kill --signal=KILL longshore",
    );
    await waitFor("another process", async () => ![before, "0"].includes(await mainProcess()), soon);
    await service.untilHealthy();
    const { data } = await client("GET /api/v1/projects", { query: { per_page: 100 } });
    assert.ok(data.some(({ id }) => id === site.id));
    const ended = await endOf(stage, await deploy(client, site.id));
    assert.equal(ended.status, 1, String(ended.error));
  });

  it("serves HTTPS of its own on the ports of browsers, with the operator's certificate", lengthy, async () => {
    const name = "panel.example.test";
    await service.bash(`
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${name} \
        -addext subjectAltName=DNS:${name} -keyout /etc/longshore-panel.key -out /etc/longshore-panel.pem
      chown longshore /etc/longshore-panel.key
      printf '%s\n' LONGSHORE_TLS_CERT=/etc/longshore-panel.pem LONGSHORE_TLS_KEY=/etc/longshore-panel.key \
        >>/etc/longshore-control/longshore.env
      longshore service install --domain ${name} --json`);
    assert.equal(await shownName(service.address, name), `DNS:${name}`);
    const redirect = await visit({ address: service.address, host: name, path: "/sign-in" });
    assert.equal(redirect.status, 308);
    assert.ok((await exposure()) <= allowedExposure, `${await exposure()}`);
  });

  it("answers until it has drained, and ends in order", lengthy, async () => {
    await service.bash("systemctl stop --no-block longshore");
    await waitFor("health to be 503", async () => (await fetch(`${service.url}/api/v1/health`)).status === 503, soon);
    assert.equal((await client.answer("GET /api/v1/me")).status, 200);
    await service.bash("systemctl stop longshore");
    assert.equal(await service.bash("systemctl show -p Result --value longshore"), "success");
    const left = await service.bash("pgrep --uid longshore || true");
    assert.equal(left, "");
  });
});
