import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { loadConfig } from "../../config.ts";
import { planInstallation, throughNginx } from "../installation.ts";
import { serviceLayout } from "../layout.ts";
import { parseSettings } from "../settings-file.ts";
import { closeThisMachine, rulesOf, withKey } from "../this-machine.ts";

const key = "ssh-ed25519 AAAAone";
const line = `from="127.0.0.1,::1",restrict ${key} longshore-this-machine\n`;
const persons = "ssh-ed25519 AAAAperson alice@laptop";

describe("the key of the machine's own installation", () => {
  it("is added behind those of people, once, for loopback alone", () => {
    for (const before of ["", `${persons}\n`, persons]) {
      const text = withKey(before, key);
      assert.equal(text, `${before === "" ? "" : `${persons}\n`}${line}`);
      assert.equal(withKey(text, key), text);
    }
  });

  it("replaces a former one, wherever that stands", () => {
    const former = line.replace("AAAAone", "AAAAformer");
    assert.equal(withKey(`${former}${persons}\n`, key), `${persons}\n${line}`);
    assert.equal(withKey(`${persons}\n${former}`, undefined), `${persons}\n`);
  });

  it("is distinguished from a person's key with a similar comment", () => {
    const similar = "ssh-ed25519 AAAA my longshore-this-machine-backup\n";
    assert.equal(withKey(similar, undefined), similar);
  });

  it("is taken away with its rules, and repeatedly", async (t) => {
    const root = await mkdtemp(join(tmpdir(), "longshore-own-"));
    t.after(() => rm(root, { recursive: true }));
    const layout = serviceLayout(root);
    for (const file of [layout.rootKeys, layout.portRules, join(layout.data, "this-machine.key")]) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, file === layout.rootKeys ? `${persons}\n${line}` : "");
    }
    await closeThisMachine(layout, layout.data);
    await closeThisMachine(layout, layout.data);
    assert.equal(await readFile(layout.rootKeys, "utf8"), `${persons}\n`);
    assert.equal((await stat(layout.rootKeys)).mode & 0o777, 0o600);
    for (const file of [layout.portRules, join(layout.data, "this-machine.key")]) await assert.rejects(stat(file));
  });
});

describe("the rules of a machine that is panel and server", () => {
  it("let the service, root and nginx connect to its ports, and no one else on the machine", () => {
    const { ports, firewall } = rulesOf(loadConfig({ LONGSHORE_METRICS_PORT: "9100" }), 997);
    assert.match(ports, /ports \{ 8080, 9100 \}/);
    assert.match(ports, /owners \{ 997 \. 8080, 997 \. 9100 \}/);
    assert.equal(firewall, null, "nothing outside reaches loopback");
  });

  it("keep a port open that others reach", () => {
    const { firewall } = rulesOf(loadConfig({ LONGSHORE_HOST: "0.0.0.0" }), 997);
    assert.match(firewall ?? "", /^tcp dport \{ 8080 \} accept$/m);
  });
});

describe("the settings of a machine that is panel and server", () => {
  const layout = serviceLayout();
  const settingsOf = (former: string, wanted: object) => {
    const complete = throughNginx(parseSettings(former), wanted);
    return planInstallation(layout, former, complete).settings;
  };

  it("have nginx in front, also of names that Longshore served itself, and reserve the names", () => {
    const first = { LONGSHORE_THIS_MACHINE: "22", LONGSHORE_PUBLIC_URL: "https://a.example.com" };
    const reserved = {
      LONGSHORE_RESERVED_DOMAINS: "a.example.com,b.example.com",
      LONGSHORE_TRUSTED_PROXIES: "127.0.0.1",
    };
    for (const [former, wanted] of [
      ["", { thisMachine: 22, domains: ["a.example.com", "b.example.com"] }],
      ["LONGSHORE_DOMAIN=a.example.com,b.example.com\n", { thisMachine: 22 }],
      ["LONGSHORE_THIS_MACHINE=22\n", { domains: ["a.example.com", "b.example.com"] }],
    ] as const) {
      const settings = settingsOf(former, wanted);
      assert.deepEqual({ ...settings, ...first, ...reserved }, settings, former);
      assert.equal(settings.LONGSHORE_DOMAIN, undefined);
    }
  });

  it("have none of the ports of projects and of services for them", () => {
    for (const port of ["12000", "20000", "64999", "80", "443", "3306", "5432"]) {
      assert.throws(() => settingsOf("", { thisMachine: 22, port }), /cannot listen on port/, port);
      assert.ok(settingsOf("", { port }));
    }
    assert.throws(() => settingsOf("LONGSHORE_METRICS_PORT=20001\n", { thisMachine: 22 }), /port 20001/);
  });

  it("are those of a single process", () => {
    assert.throws(
      () =>
        loadConfig({ LONGSHORE_THIS_MACHINE: "22", LONGSHORE_ROLE: "api", DATABASE_URL: "postgresql://db/longshore" }),
      /does not manage its own machine/,
    );
  });
});
