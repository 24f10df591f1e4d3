import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { runCommand } from "../../../../sandbox/command.ts";
import { type NodeMirror, startNodeMirror } from "../../../../sandbox/node-mirror.ts";
import { downServer, enterCommand, execOn, upServer } from "../../../../sandbox/sandbox.ts";
import type { Step } from "../../../engine/plan.ts";
import { parseProbe, probeScript } from "../../../host/distribution.ts";
import { installNode } from "../../../host/node-runtime.ts";
import { withPrelude } from "../../../host/prelude.ts";
import { provisionPlan } from "../plans.ts";

// The plan's scripts on a real server, one after the other as the runner does it, without the rest of the platform.

const name = `provision-${process.pid}`;
const secrets = "/run/longshore-test";
const password = 'it\'s a \\ "pass" $word';
let mirror: NodeMirror;
let gateway: string;

const onServer = async (script: string): Promise<string> => {
  const { exitCode, stdout, stderr } = await execOn(name, ["bash", "-euo", "pipefail", "-c", script]);
  assert.equal(exitCode, 0, stderr);
  return stdout.trim();
};

before(async () => {
  mirror = await startNodeMirror();
  await upServer({ name });
  gateway = await onServer("ip route show default | awk '{ print $3 }'");
  await onServer(`mkdir -m 700 ${secrets}`);
  await execOn(name, ["tee", `${secrets}/database_password`], { input: password });
});

after(async () => {
  await downServer(name);
  await mirror.close();
});

const nodeMirror = (): string => `http://${gateway}:${mirror.port}`;

async function plannedSteps(): Promise<Step[]> {
  const { distribution } = parseProbe(await onServer(probeScript.script));
  return provisionPlan({
    serverType: 0,
    distribution,
    declared: distribution,
    databaseEngine: "mariadb",
    database: { name: "app", username: "app_user" },
    timezone: "Europe/Berlin",
    sshPort: 22,
    nodeVersions: [mirror.versions[0] as string],
    nodeMirror: nodeMirror(),
  }).steps;
}

interface Outcome {
  key: string;
  exitCode: number;
  output: string;
}

async function carryOut(steps: readonly Step[]): Promise<Outcome[]> {
  const environment = ["env", `LONGSHORE_SECRETS=${secrets}`, `LONGSHORE_FACTS=${secrets}/facts`];
  const enter = await enterCommand(name);
  const outcomes: Outcome[] = [];
  for (const { key, script } of steps) {
    const argv = [...enter, ...environment, "bash", "-euo", "pipefail", "-c", script];
    const { exitCode, stdout, stderr } = await runCommand(argv);
    outcomes.push({ key, exitCode, output: stdout + stderr });
  }
  return outcomes;
}

const failed = (outcomes: readonly Outcome[]): Outcome[] => outcomes.filter(({ exitCode }) => exitCode !== 0);

// Everything the platform writes, and since when each service runs and was last told to read its files.
const state = `
  find /etc /opt/longshore /srv /usr/local /home -xdev \\( -type f -o -type l \\) -printf '%p %T@ %i\\n' | sort
  for unit in nginx php8.2-fpm mariadb fail2ban nftables ssh cron systemd-journald; do
    echo "$unit $(systemctl show "$unit" -p ActiveEnterTimestampMonotonic -p StateChangeTimestampMonotonic -p MainPID)"
  done
  nft list table inet longshore`;

describe("provisioning a fresh server", () => {
  it("succeeds with every step, and changes nothing when it runs again", async () => {
    const steps = await plannedSteps();
    assert.deepEqual(failed(await carryOut(steps)), []);
    const provisioned = await onServer(state);
    assert.deepEqual(failed(await carryOut(steps)), []);
    assert.equal(await onServer(state), provisioned);
  });

  it("reports what was installed", async () => {
    const facts = new Map((await onServer(`cat ${secrets}/facts`)).split("\n").map((line) => splitOnce(line)));
    assert.match(facts.get("operating_system") ?? "", /^Debian GNU\/Linux 12/);
    assert.match(facts.get("nginx_version") ?? "", /^\d+\.\d+/);
    assert.match(facts.get("php_version") ?? "", /^8\.2\.\d+$/);
    assert.equal(facts.get("node_version"), mirror.versions[0]);
    assert.match(facts.get("database_version") ?? "", /^MariaDB \d+\.\d+\.\d+$/);
  });

  it("gives the database's user the database and no other, whatever is in the password", async () => {
    const shown = await onServer(
      `MYSQL_PWD=$(< ${secrets}/database_password) mariadb -h 127.0.0.1 -u app_user --batch -N -e 'SHOW DATABASES'`,
    );
    assert.equal(shown, "app\ninformation_schema");
  });

  it("serves 404 for unknown names and no certificate at all", async () => {
    assert.equal(await onServer("curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1/"), "404");
    assert.match(await onServer("curl -sSk https://127.0.0.1/ 2>&1 || true"), /unrecognized name/);
  });

  it("drops what comes from outside to ports that are not open", async () => {
    const ruleset = await onServer("nft list chain inet longshore input");
    assert.match(ruleset, /policy drop/);
    assert.match(ruleset, /tcp dport \{ 80, 443 \} accept/);
    assert.match(ruleset, /tcp dport 22 accept/);
  });

  it("takes no passwords over SSH", async () => {
    assert.match(await onServer("sshd -T"), /^passwordauthentication no$/m);
  });

  it("puts back a setting that nginx rejects, and says so", async () => {
    const before = await onServer("cat /etc/nginx/conf.d/longshore-tls.conf");
    const script = withPrelude("?", {
      script: "put_nginx /etc/nginx/conf.d/longshore-tls.conf 'no_such_directive on;'",
    });
    const { exitCode, stderr } = await execOn(name, ["bash", "-euo", "pipefail", "-c", script.script]);
    assert.equal(exitCode, 1);
    assert.match(stderr, /the former state was put back\.\s*$/);
    assert.equal(await onServer("cat /etc/nginx/conf.d/longshore-tls.conf"), before);
  });

  it("throws a Node away that is not what its checksum says", async () => {
    // A mirror whose list of checksums belongs to another file.
    await onServer(`
      mkdir -p /tmp/mirror/v1.2.3 && cd /tmp/mirror/v1.2.3
      echo tampered > node-v1.2.3-linux-x64.tar.gz && cp node-v1.2.3-linux-x64.tar.gz node-v1.2.3-linux-arm64.tar.gz
      printf '%064d  node-v1.2.3-linux-x64.tar.gz\\n%064d  node-v1.2.3-linux-arm64.tar.gz\\n' 0 0 > SHASUMS256.txt
      systemd-run --quiet --collect --unit=test-mirror python3 -m http.server -d /tmp/mirror 8099
      curl -fs --retry 50 --retry-connrefused --retry-delay 1 -o /dev/null http://127.0.0.1:8099/v1.2.3/SHASUMS256.txt`);
    const script = withPrelude("?", installNode({ mirror: "http://127.0.0.1:8099", version: "1.2.3" }));
    const { exitCode, stderr } = await execOn(name, ["bash", "-euo", "pipefail", "-c", script.script]);
    assert.equal(exitCode, 1);
    assert.match(stderr, /is not what its checksum says and was thrown away\.\s*$/);
    assert.equal(await onServer("ls -A /opt/longshore/node | grep -c fetch || true"), "0");
  });
});

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(" ");
  return [line.slice(0, at), line.slice(at + 1)];
}
