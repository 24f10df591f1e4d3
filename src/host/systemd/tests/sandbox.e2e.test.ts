import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { projectLayout } from "../../layout.ts";
import { phpServiceUnit } from "../../php/pool.ts";
import { type Booted, boot } from "../../tests/booted.ts";
import { gitSandbox, projectSandbox, stepProperties } from "../sandbox.ts";
import { backgroundUnit, nodeUnit, scheduledUnit } from "../unit.ts";

// Only the sandbox, on a real server: no runner, no project.

const layout = projectLayout(1);
const other = projectLayout(2);

let host: Booted;

before(async () => {
  host = await boot("sandbox");
  await host.bash(`
    for id in 1 2; do
      useradd --system --uid $((200000 + 2 * id)) --home-dir /srv/longshore/projects/$id/home project-$id
      install -d /srv/longshore/projects/$id
      install -d -o project-$id -g project-$id /srv/longshore/projects/$id/home
      # As if its rights had been set wrongly.
      install -m 644 /dev/stdin /srv/longshore/projects/$id/open <<< "of $id"
    done
    mkdir -p /etc/nginx && echo "server_name other.test;" > /etc/nginx/site`);
});

after(() => host?.down());

/** The output of a script in the sandbox of the first project. */
const inSandbox = (script: string): Promise<string> => {
  const properties = stepProperties(projectSandbox(layout)).map((property) => `-p '${property}'`);
  return host.bash(
    `systemd-run --quiet --wait --pipe --collect ${properties.join(" ")} bash -c ${quoted(script)} 2>&1 || true`,
  );
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

describe("a project's unit", () => {
  const step = (properties: string[]) => `[Service]\nExecStart=/bin/true\n${properties.join("\n")}\n`;
  const units = {
    "node@.service": nodeUnit({ layout, ports: [20_000, 20_001] }),
    "background@.service": backgroundUnit({ layout, jobId: 3 }),
    "scheduled@.service": scheduledUnit({ layout, jobId: 4 }),
    "php.service": phpServiceUnit(layout).replaceAll("VERSION", "8.2"),
    "build.service": step(stepProperties(projectSandbox(layout))),
    "fetch.service": step(stepProperties(gitSandbox(layout))),
  };

  for (const [name, text] of Object.entries(units)) {
    it(`is exposed to 4.0 at most in systemd's own analysis: ${name}`, async (t) => {
      const file = `/run/systemd/system/exposure-${name}`;
      await host.bash(`cat > ${file} <<'UNIT'\n${text}UNIT`);
      const analysis = await host.bash(`systemd-analyze security --offline=yes --no-pager ${file} 2>&1 | tail -n 1`);
      const [, exposure] = /Overall exposure level.*: ([0-9.]+)/.exec(analysis) ?? assert.fail(analysis);
      t.diagnostic(`${name}: ${exposure}`);
      assert.ok(Number(exposure) <= 4, analysis);
    });

    it(`is understood by systemd to the last line: ${name}`, async () => {
      const verified = await host.bash(`systemd-analyze verify /run/systemd/system/exposure-${name} 2>&1 || true`);
      assert.doesNotMatch(verified, /Unknown|Failed to parse|Invalid|ignoring/i);
    });
  }
});

describe("a process in a project's sandbox", () => {
  it("finds its own directory, and no other project's", async () => {
    assert.equal(await inSandbox("ls /srv/longshore/projects; cat ~/../open"), "1\nof 1");
    assert.match(await inSandbox(`cat ${other.directory}/open`), /No such file/);
  });

  it("writes in its directory, and nowhere else that outlives it", async () => {
    const places = "/ /etc /usr /var /var/lib /srv /run /opt";
    const tries = `for place in ${places}; do touch $place/written 2>/dev/null && echo $place; done; touch ~/written; ls ~/written`;
    assert.equal(await inSandbox(tries), `${layout.home}/written`);
    await inSandbox("touch /tmp/written /var/tmp/written /dev/shm/written");
    assert.equal(await host.bash("ls /tmp/written /var/tmp/written /dev/shm/written 2>/dev/null || true"), "");
  });

  it("reads no settings of the server's, and reaches none of its services", async () => {
    assert.match(await inSandbox("cat /etc/nginx/site"), /Permission denied|No such file/);
    assert.match(await inSandbox("systemctl list-units"), /Failed to connect|No such file|Permission denied/);
    assert.match(await inSandbox("logger --socket-errors=on hello || echo refused"), /refused/);
  });

  it("sees no process but its own user's", async () => {
    assert.equal(await inSandbox("ls /proc | grep -cx 1 || true"), "0");
  });

  it("gains no rights but its user's", async () => {
    const status = await inSandbox(
      "grep -E '^(NoNewPrivs|CapEff|CapBnd|Seccomp):' /proc/self/status | tr -s '\\t ' ' '",
    );
    assert.equal(status, "CapEff: 0000000000000000\nCapBnd: 0000000000000000\nNoNewPrivs: 1\nSeccomp: 2");
    assert.match(await inSandbox("touch ~/s && chmod 4755 ~/s; stat -c %a ~/s"), /Operation not permitted\n644$/);
    assert.match(await inSandbox("unshare --user true"), /Operation not permitted/);
  });
});
