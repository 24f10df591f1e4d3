import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, it } from "node:test";
import { mustRun, run } from "../machine.ts";
import { findListener, inodesListening } from "../ports.ts";
import { parseUnit } from "../systemd.ts";

describe("a program of the machine", () => {
  it("ends with any exit code, also when there is none of its name", async () => {
    assert.equal((await run(["sh", "-c", "exit 3"])).exitCode, 3);
    assert.equal((await run(["longshore-is-no-such-program"])).exitCode, 127);
  });

  it("reports its last line when it fails", async () => {
    assert.equal(await mustRun(["echo", "done"]), "done");
    await assert.rejects(mustRun(["sh", "-c", "echo first >&2; echo reason >&2; exit 1"]), /reason$/);
  });
});

describe("the listener of a port", () => {
  it("is the process that has it", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const { pid, isService } = (await findListener(port)) ?? {};
      assert.deepEqual([pid, isService], [process.pid, false]);
    } finally {
      server.close();
      await once(server, "close");
    }
    assert.equal(await findListener(port), undefined);
  });

  it("is no connection from or to that port", () => {
    const table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1",
      "   1: 0100007F:0050 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 222 1",
      "   2: 00000000:01BB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1",
    ].join("\n");
    assert.deepEqual(inodesListening(table, 80), ["111"]);
    assert.deepEqual(inodesListening(table, 8080), []);
  });
});

describe("the state of the unit", () => {
  it("is read from what systemctl prints", () => {
    const text = `LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nMainPID=42\nNRestarts=1\nMemoryCurrent=1048576
InvocationID=0123\nActiveEnterTimestamp=Tue 2023-11-14 22:13:20 UTC\n`;
    assert.deepEqual(parseUnit(text), {
      ...{ loaded: "loaded", active: "active", enabled: "enabled", pid: 42, restarts: 1, memory: 1_048_576 },
      ...{ since: "2023-11-14T22:13:20.000Z", invocation: "0123" },
    });
  });

  it("of no unit has nothing", () => {
    const text =
      "LoadState=not-found\nActiveState=inactive\nUnitFileState=\nMainPID=0\nMemoryCurrent=18446744073709551615\n";
    const { loaded, pid, memory, since } = parseUnit(text);
    assert.deepEqual([loaded, pid, memory, since], ["not-found", null, null, null]);
  });
});
