import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { mustRun } from "../../sandbox/command.ts";
import { step } from "../../src/engine/runs/plan.ts";
import { FreshServer } from "../../src/features/servers/setup/tests/fresh-server.ts";
import { healthPaths, healthUnit } from "../../src/host/nginx/balancer-health.ts";
import { installMarkdown } from "../../src/host/nginx/markdown.ts";
import { withPrelude } from "../../src/host/runner/prelude.ts";
import { lengthy } from "../../stage/support.ts";

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

// Each feature in it: service-features.e2e.test.ts, in the unit that the installer writes, which takes away the same.
describe("the control plane as the service of docs/operations.md", () => {
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
