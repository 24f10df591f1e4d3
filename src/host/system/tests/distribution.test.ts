import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { isSupported, packageSets, parseProbe, probeScript } from "../distribution.ts";

const probe = `PRETTY_NAME="Ubuntu 24.04.1 LTS"
NAME="Ubuntu"
VERSION_ID="24.04"
# a comment
ID=ubuntu
ID_LIKE=debian
PROBE_ARCHITECTURE=x86_64
PROBE_MEMORY_KB=2014088
PROBE_CLIENT=203.0.113.9
PROBE_VIRTUALIZATION=kvm
`;

describe("parseProbe", () => {
  it("reads what the host is", () => {
    assert.deepEqual(parseProbe(probe), {
      distribution: { id: "ubuntu", version: "24.04" },
      name: "Ubuntu 24.04.1 LTS",
      architecture: "x86_64",
      memoryMb: 1966,
      virtualization: "kvm",
      clientAddress: "203.0.113.9",
    });
  });

  it("takes quotes and escapes of os-release apart", () => {
    const facts = parseProbe('ID=\'debian\'\nPRETTY_NAME="A \\"quoted\\" \\$name"\r\n');
    assert.equal(facts.distribution.id, "debian");
    assert.equal(facts.name, 'A "quoted" $name');
  });

  it("takes nothing long, nothing with control characters, and no address that is none, from a hostile host", () => {
    // A pattern that tries each blank as the start of the end of the line would take hours.
    const blanks = `NAME=${" ".repeat(60_000)}x\n`;
    const facts = parseProbe(`${blanks}ID=debian\nPRETTY_NAME=${"x".repeat(500)}\nPROBE_CLIENT=0.0.0.0/0\n`);
    assert.deepEqual([facts.name.length < 20, facts.clientAddress], [true, undefined]);
    assert.equal(parseProbe(`ID=debian\nPRETTY_NAME="a\x1b[31m"\n`).name.includes("\x1b"), false);
  });

  it("refuses a host that does not identify itself", () => {
    assert.throws(() => parseProbe("PROBE_ARCHITECTURE=x86_64\n"), { code: "refused" });
  });

  it("reads this machine", () => {
    const { stdout, status } = spawnSync("bash", ["-euo", "pipefail", "-c", probeScript.script], { encoding: "utf8" });
    assert.equal(status, 0);
    const facts = parseProbe(stdout);
    assert.notEqual(facts.architecture, "");
    assert.ok(facts.memoryMb > 0);
  });
});

describe("distributions", () => {
  it("are supported from Debian 12 and Ubuntu 22.04 on", () => {
    assert.ok(isSupported({ id: "debian", version: "13" }));
    assert.ok(!isSupported({ id: "debian", version: "11" }));
  });

  it("get no package twice", () => {
    const names = packageSets(0, "postgresql").flatMap((set) => set.packages);
    assert.equal(new Set(names).size, names.length);
  });
});
