import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { serviceLayout } from "../layout.ts";
import { renderUnit } from "../unit.ts";

const layout = serviceLayout();
const linesOf = (options: Partial<Parameters<typeof renderUnit>[0]> = {}) =>
  renderUnit({ layout, data: layout.data, lowPorts: false, ...options }).split("\n");

describe("the unit", () => {
  it("starts the version that runs, with the settings file", () => {
    const lines = linesOf();
    for (const line of [
      "User=longshore",
      "ExecStart=/usr/lib/longshore/current/longshore up",
      "EnvironmentFile=/etc/longshore-control/longshore.env",
      "StateDirectory=longshore-control",
      "WantedBy=multi-user.target",
    ]) {
      assert.ok(lines.includes(line), line);
    }
  });

  it("writes to its own directories only", () => {
    assert.ok(linesOf().includes("ProtectSystem=strict"));
    assert.ok(!linesOf().some((line) => line.startsWith("ReadWritePaths=")));
    const elsewhere = linesOf({ data: '/srv/a 100% "panel"' });
    assert.ok(elsewhere.includes('ReadWritePaths="/srv/a 100%% \\"panel\\""'));
    assert.ok(!elsewhere.includes("StateDirectory=longshore-control"));
  });

  it("may listen on low ports only where it has to", () => {
    assert.deepEqual(
      linesOf().filter((line) => /Capabilit|PrivateUsers/.test(line)),
      ["CapabilityBoundingSet=", "PrivateUsers=yes"],
    );
    assert.deepEqual(
      linesOf({ lowPorts: true }).filter((line) => /Capabilit|PrivateUsers/.test(line)),
      ["AmbientCapabilities=CAP_NET_BIND_SERVICE", "CapabilityBoundingSet=CAP_NET_BIND_SERVICE"],
    );
  });

  it("takes away what that of docs/operations.md does, whose program is in a checkout", () => {
    const text = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
    const [, documented = ""] = /```ini\n([^`]*)```/.exec(text) ?? [];
    const confining = /^(?:Ambient|Capability|Lock|Memory|NoNew|Private|Protect|Restrict|SystemCall|UMask)\w*=/;
    const confinementIn = (lines: readonly string[]) => lines.filter((line) => confining.test(line)).sort();
    assert.deepEqual(confinementIn(documented.split("\n")), confinementIn(linesOf()));
  });

  it("waits for requests that a load balancer still sends", () => {
    assert.ok(linesOf({ drainSeconds: 30 }).includes("TimeoutStopSec=75"));
  });
});
