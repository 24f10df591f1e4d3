import assert from "node:assert/strict";
import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { mustRun } from "../../sandbox/command.ts";
import { serverPaths } from "../../sandbox/paths.ts";
import { downServer, execOn, rebootServer, type SandboxServer, upServer } from "../../sandbox/sandbox.ts";
import { removeDirectory } from "../../stage/fixture.ts";
import { lengthy } from "../../stage/support.ts";

// The installed service is upgraded, with everything that may interrupt that. The versions are packages of this checkout with other
// numbers: 0.4.0 works, and 0.5.0 has a migration that fails after another one.

const root = resolve(import.meta.dirname, "../..");
const name = `upgrade-${process.pid}`;
const journal = "/var/lib/longshore-upgrade/journal.json";
const data = "/var/lib/longshore-control";
const packages = "/srv/packages";

let directory: string;
let server: SandboxServer;
let token: string;

const run = (script: string) => execOn(name, ["bash", "-euo", "pipefail", "-c", script]);

async function bash(script: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(script);
  assert.equal(exitCode, 0, `${script}\n${stderr}${stdout}`);
  return stdout.trim();
}

interface Printed {
  outcome?: string;
  version?: string;
  available?: string | null;
  installed?: string;
  reason?: string;
  log?: string[];
  last?: { outcome: string; to: string } | null;
  error?: string;
}

async function upgrade(options: string): Promise<Printed & { exitCode: number }> {
  const { exitCode, stdout, stderr } = await run(`longshore upgrade ${options} --json`);
  const line = stdout.trim().split("\n").at(-1);
  assert.ok(line, stderr);
  return { ...(JSON.parse(line) as Printed), exitCode };
}

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-upgrade-"));
  const [printed] = await Promise.all([
    mustRun([join(root, "longshore"), "package", "--out", directory, "--json"]),
    upServer({ name }).then((up) => {
      server = up;
    }),
  ]);
  const { deb } = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as { deb: string };
  await copyFile(deb, join(serverPaths(name).root, "root/longshore.deb"));
  await bash(`
    dpkg-deb --extract /root/longshore.deb /root/unpacked
    mv /root/unpacked/usr/lib/longshore/versions/* /opt/longshore
    mkdir -p ${packages} /root/make
    make() {
      cp -al /opt/longshore /root/make/package
      sed 's/^  "version": .*/  "version": "'"$1"'",/' /opt/longshore/package.json >/root/make/package.json
      mv /root/make/package.json /root/make/package/package.json
      printf '# Changelog\\n\\n## %s\\n\\n* What is new in %s.\\n' "$1" "$1" >/root/make/changes
      mv /root/make/changes /root/make/package/CHANGELOG.md
    }
    pack() {
      tar -C /root/make -c package | gzip -1 >"${packages}/longshore-$1.tgz"
      rm -r /root/make/package
    }
    make 0.4.0
    pack 0.4.0
    make 0.5.0
    echo 'create table from_the_future (id integer);' >/root/make/package/src/db/migrations/9998-future.sql
    echo 'select * from no_such_table;' >/root/make/package/src/db/migrations/9999-broken.sql
    pack 0.5.0
    make 0.3.0
    mv /root/make/package /opt/longshore-0.3.0
    cd ${packages}
    sha256sum -- *.tgz >SHA256SUMS
    /opt/longshore-0.3.0/longshore service install --host 0.0.0.0
    echo LONGSHORE_UPDATE_SOURCE=${packages} >>/etc/longshore-control/longshore.env
    runuser -u longshore -- longshore admin user --data ${data} --email alice@example.com --name Alice --organization Acme`);
  const made = await bash(
    `runuser -u longshore -- longshore admin token --data ${data} --email alice@example.com --name test --permissions '*' --json`,
  );
  token = (JSON.parse(made.split("\n").at(-1) ?? "") as { token: string }).token;
}, lengthy);

after(async () => {
  await downServer(name);
  await removeDirectory(directory);
});

const ask = (path: string): Promise<Response> =>
  fetch(`http://${server.address}:8080/api/v1/${path}`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5_000),
  });

/** This version answers, with the records from before, and nothing of an upgrade is left that would act again. */
async function assertServes(version: string): Promise<void> {
  const answer = await ask("me");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("X-Longshore-Version"), version);
  assert.equal(await bash("basename $(readlink /usr/lib/longshore/current)"), version);
  assert.equal(await bash("systemctl is-active longshore"), "active");
  await bash(
    `cd /etc/systemd/system; ! ls ${journal} /var/lib/longshore-upgrade/hold longshore.service.d/upgrade.conf longshore-upgrade.service 2>/dev/null`,
  );
}

/** Back to 0.3.0 by hand: it has the same schema as 0.4.0. */
const reset = () =>
  bash(`
    systemctl stop longshore
    ln -sfn versions/0.3.0 /usr/lib/longshore/current
    systemctl start longshore`);

async function awaitHealth(): Promise<void> {
  for (let left = 300; left > 0; left--) {
    if (
      await ask("health").then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await delay(200);
  }
  assert.fail(await bash("journalctl --unit longshore --lines 30 --output cat"));
}

/** Reads the journal without a pause, since phases may last some milliseconds. Ends with 3 if the process ends first. */
const killer = `
  my ($phase, $file, $pid) = @ARGV;
  while (kill 0, $pid) {
    open(my $journal, "<", $file) or next;
    local $/;
    next unless <$journal> =~ /"phase": "$phase"/;
    kill 9, $pid;
    exit 0;
  }
  exit 3;`;

/** Begins an upgrade to 0.4.0, and kills its process in this phase. */
async function killIn(phase: string): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    const { exitCode, stderr } = await run(`
      longshore upgrade 0.4.0 --yes >/root/killed 2>&1 &
      perl -e '${killer}' ${phase} ${journal} $!`);
    if (exitCode === 0) return;
    assert.equal(exitCode, 3, stderr);
    await reset();
    await awaitHealth();
  }
  assert.fail(`The phase ${phase} was over each time: ${await bash("cat /root/killed")}`);
}

it("is found by --check, which monitoring can call", async () => {
  const { exitCode, installed, available } = await upgrade("0.4.0 --check");
  assert.deepEqual([exitCode, installed, available], [100, "0.3.0", "0.4.0"]);
  await assertServes("0.3.0");
});

it("is refused to an older version, without an answer, and from a file that is none", async () => {
  assert.match((await upgrade("0.2.0 --yes")).error ?? "", /0\.2\.0 is older than the installed 0\.3\.0/);
  assert.match((await upgrade("0.4.0")).error ?? "", /--yes/);
  assert.match((await upgrade("--from /etc/passwd --yes")).error ?? "", /no package of Longshore/);
  await assertServes("0.3.0");
});

describe("an upgrade whose process is killed", () => {
  for (const phase of ["stopping", "copying", "switching"]) {
    it(`while it is ${phase} is continued by the next call`, lengthy, async () => {
      await killIn(phase);
      const { exitCode, outcome } = await upgrade("0.4.0 --yes");
      assert.deepEqual([exitCode, outcome], [0, "up_to_date"]);
      await assertServes("0.4.0");
      await reset();
      await awaitHealth();
    });
  }

  for (const phase of ["starting", "finishing"]) {
    it(`while it is ${phase} is continued without a call`, lengthy, async () => {
      await killIn(phase);
      await bash(`timeout 120 sh -c 'while systemctl --quiet is-active longshore-upgrade-watch; do sleep 0.2; done'`);
      await assertServes("0.4.0");
      await reset();
      await awaitHealth();
    });
  }
});

it("is taken back before the service starts, if the machine restarts during it", lengthy, async () => {
  await bash(`
    longshore upgrade 0.4.0 --yes >/root/killed 2>&1 &
    until grep -qs '"phase": "starting"' ${journal}; do kill -0 $!; done
    systemctl kill --signal KILL longshore-upgrade-watch
    kill -9 $!`);
  await rebootServer(name);
  await awaitHealth();
  await bash("timeout 60 sh -c 'while systemctl --quiet is-active longshore-upgrade; do sleep 0.2; done'");
  await assertServes("0.3.0");
  const { last } = await upgrade("0.4.0 --check");
  assert.deepEqual([last?.outcome, last?.to], ["taken_back", "0.4.0"]);
});

it("keeps the records, and is not noticed for long", lengthy, async () => {
  let isOver = false;
  let gapMs = 0;
  const watch = async (): Promise<void> => {
    for (let lastMs = performance.now(); !isOver; await delay(20)) {
      if (
        !(await ask("health").then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        continue;
      gapMs = Math.max(gapMs, performance.now() - lastMs);
      lastMs = performance.now();
    }
  };
  const watching = watch();
  const printed = await run("longshore upgrade 0.4.0 --yes");
  isOver = true;
  await watching;
  assert.equal(printed.exitCode, 0, printed.stderr);
  assert.match(printed.stdout, /\* What is new in 0\.4\.0\./);
  await assertServes("0.4.0");
  assert.ok(gapMs < 60_000, `It did not answer for ${Math.round(gapMs)} ms.`);
  process.stderr.write(`The service did not answer for ${Math.round(gapMs)} ms.\n`);
  assert.equal(await bash("stat -c '%a %U' /var/lib/longshore-upgrade/backup"), "700 longshore");
  assert.equal(await bash("ls /usr/lib/longshore/versions"), "0.3.0\n0.4.0");
});

it("is taken back when a migration fails: the former version has its data", lengthy, async () => {
  const { exitCode, outcome, log } = await upgrade("0.5.0 --yes");
  assert.deepEqual([exitCode, outcome], [1, "taken_back"]);
  assert.match(log?.join("\n") ?? "", /Migration 9999-broken failed/);
  await assertServes("0.4.0");
});
