import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { scriptsOf, shellcheck } from "../../../../../test/shellcheck.ts";
import type { Plan } from "../../../../engine/runs/plan.ts";
import type { ServerType } from "../../../../host/system/distribution.ts";
import { firewallRules, type SetupInput, setupPhases, setupPlan } from "../plans.ts";

const debian12 = { id: "debian", version: "12" };

const input = (changes: Partial<SetupInput> = {}): SetupInput => ({
  serverType: 0,
  distribution: debian12,
  declared: changes.distribution ?? debian12,
  databaseEngine: "mariadb",
  database: { name: "app", username: "app_user", mark: "longshore-database-7" },
  timezone: "Europe/Berlin",
  sshPort: 22,
  controlKey: "ssh-ed25519 AAAAcontrol longshore",
  nodeVersions: ["24", "22.21.1"],
  ...changes,
});

const distributions = [
  debian12,
  { id: "debian", version: "13" },
  { id: "ubuntu", version: "22.04" },
  { id: "ubuntu", version: "24.04" },
  { id: "ubuntu", version: "26.04" },
];

const keys = (plan: Plan): string[] => plan.steps.map((step) => step.key);

function scriptOf(plan: Plan, key: string): string {
  const found = plan.steps.find((step) => step.key === key);
  assert.ok(found, `no step ${key}`);
  return found.script;
}

describe("setupPlan", () => {
  for (const distribution of distributions) {
    it(`makes about fifty steps for an App server on ${distribution.id} ${distribution.version}`, () => {
      const { steps, pointOfNoReturn } = setupPlan(input({ distribution }));
      assert.ok(steps.length >= 45 && steps.length <= 65, `${steps.length} steps`);
      assert.equal(new Set(steps.map((step) => step.key)).size, steps.length);
      assert.equal(pointOfNoReturn, "start");
      for (const step of steps) {
        assert.match(step.key, /^[a-z0-9-]+$/);
        assert.equal(step.onFailure, "continue", step.key);
        assert.equal(step.checkpoint, false, step.key);
        assert.ok(step.phase in setupPhases, step.phase);
      }
    });
  }

  it("keeps the steps of a phase together, in the order of the phases", () => {
    for (const serverType of [0, 1, 2, 3, 4] as const) {
      const order = Object.keys(setupPhases);
      const positions = setupPlan(input({ serverType })).steps.map((step) => order.indexOf(step.phase));
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      );
    }
  });

  it("has scripts that shellcheck accepts, for every type and engine", () => {
    const combinations = [
      ...distributions.map((distribution) => ({ distribution })),
      { databaseEngine: "postgresql" as const },
      { databaseEngine: "none" as const },
      ...([1, 2, 3, 4] as ServerType[]).map((serverType) => ({ serverType, peers: ["10.0.0.2", "fd00::2"] })),
      { serverType: 1 as const, databaseEngine: "postgresql" as const },
      { serverType: 3 as const, search: { url: "https://example.com/meilisearch", sha256: "0".repeat(64) } },
    ];
    const scripts = combinations.flatMap((changes, at) =>
      Object.entries(scriptsOf(setupPlan(input(changes)))).map(([name, script]) => [`${at}.${name}`, script]),
    );
    // Steps that several plans share are checked once.
    const distinct = new Map(scripts.map(([name, script]) => [script, name]));
    const named = Object.fromEntries([...distinct].map(([script, name]) => [name, script]));
    // Dollars in single quotes are values: texts of files.
    const findings = shellcheck(named).split("\n");
    assert.deepEqual(
      findings.filter((line) => line !== "" && !line.endsWith("[SC2016]")),
      [],
    );
  });

  it("refuses an operating system that is not supported, and names those that are", () => {
    assert.throws(() => setupPlan(input({ distribution: { id: "alpine", version: "3.20" } })), {
      code: "refused",
      message: /alpine 3\.20 is not supported.*Debian 12/,
    });
  });

  it("installs everything in one call that neither asks nor restarts services", () => {
    const script = scriptOf(setupPlan(input()), "packages");
    assert.match(script, /^need_packages .*nginx php-fpm.*composer mariadb-server/m);
    assert.match(script, /DEBIAN_FRONTEND=noninteractive/);
    assert.match(script, /DPkg::Lock::Timeout=600/);
    assert.match(script, /NEEDRESTART_SUSPEND=1/);
  });

  it("enables universe on Ubuntu only", () => {
    assert.ok(keys(setupPlan(input({ distribution: { id: "ubuntu", version: "24.04" } }))).includes("universe"));
    assert.ok(!keys(setupPlan(input())).includes("universe"));
  });

  it("reports in the record when another system was declared", () => {
    const plan = setupPlan(input({ declared: { id: "ubuntu", version: "24.04" } }));
    assert.match(scriptOf(plan, "operating-system"), /ubuntu 24\.04 was declared/);
  });

  it("leaves out what a server of the type does not carry", () => {
    const phases = (serverType: ServerType, databaseEngine: "mariadb" | "none" = "mariadb"): string[] => [
      ...new Set(setupPlan(input({ serverType, databaseEngine })).steps.map((step) => step.phase)),
    ];
    const always = ["check", "packages", "system", "security"];
    assert.deepEqual(phases(0), [...always, "web", "php", "node", "database", "finish"]);
    assert.deepEqual(phases(0, "none"), [...always, "web", "php", "node", "finish"]);
    assert.deepEqual(phases(1), [...always, "database", "finish"]);
    assert.deepEqual(phases(2), [...always, "cache", "finish"]);
    assert.deepEqual(phases(3), [...always, "search", "finish"]);
    assert.deepEqual(phases(4), [...always, "web", "finish"]);
  });

  it("opens the web to everyone and data to the organization's other servers only", () => {
    const common = { sshPort: 2222, peers: ["10.0.0.2"] };
    assert.deepEqual(firewallRules({ serverType: 0, databaseEngine: "mariadb", ...common }), {
      sshPort: 2222,
      publicPorts: [80, 443],
      publicUdpPorts: [443],
      peerPorts: [],
    });
    assert.deepEqual(firewallRules({ serverType: 1, databaseEngine: "postgresql", ...common }), {
      sshPort: 2222,
      publicPorts: [],
      publicUdpPorts: [],
      peerPorts: [{ port: 5432, from: ["10.0.0.2"] }],
    });
  });

  it("does not open a data port when there is no other server", () => {
    const rules = scriptOf(setupPlan(input({ serverType: 2 })), "firewall-rules");
    assert.doesNotMatch(rules, /6379/);
  });

  it("passes the password as a file and never as text", () => {
    const script = scriptOf(setupPlan(input()), "database");
    assert.match(script, /^secret=database_verifier$/m);
    assert.doesNotMatch(script, /--password|-p"/);
  });

  it("refuses Node versions that would be paths", () => {
    for (const version of ["../../etc", "24; reboot", "latest"]) {
      assert.throws(() => setupPlan(input({ nodeVersions: [version] })), { code: "invalid" });
    }
  });

  it("keeps hostile values data", () => {
    const hostile = "x'; touch /tmp/longshore-setup-owned; '\"$(touch /tmp/longshore-setup-owned)`id`\n#";
    const plan = setupPlan(input({ timezone: hostile, nodeMirror: `http://127.0.0.1:1/${hostile}` }));
    assert.equal(shellcheck(scriptsOf(plan), "warning"), "");
    const { status, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", scriptOf(plan, "time-zone")], {
      encoding: "utf8",
    });
    assert.equal(status, 1);
    assert.match(stderr, /does not know the time zone/);
    assert.equal(spawnSync("test", ["-e", "/tmp/longshore-setup-owned"]).status, 1);
  });

  it("reads the package lists while a package is missing, also one of a later step", () => {
    const whatIsDone = (missing: string) => {
      const script = scriptOf(setupPlan(input()), "package-lists");
      const stubs = `
        dpkg-query() { shift 3; for each; do [ "$each" = "${missing}" ] || echo "$each installed"; done; }
        apt-get() { echo "apt-get: $*"; }`;
      return spawnSync("bash", ["-euo", "pipefail", "-c", `${stubs}\n${script}`], { encoding: "utf8" }).stdout;
    };
    assert.doesNotMatch(whatIsDone("none"), /apt-get: .* update/);
    for (const missing of ["git", "libnginx-mod-http-brotli-static"]) {
      assert.match(whatIsDone(missing), /apt-get: .* update/, missing);
    }
  });

  it("ends a script that fails for a reason of its own with a sentence", () => {
    const script = scriptOf(setupPlan(input()), "git").replace("git --version", "false");
    const stub = 'dpkg-query() { shift 3; printf "%s installed\\n" "$@"; }';
    const { status, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", `${stub}\n${script}`], {
      encoding: "utf8",
    });
    assert.equal(status, 1);
    assert.equal(stderr.trim().split("\n").at(-1), "git: this did not work; the lines above say why.");
  });
});
