import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pollUntil } from "../../lib/clock.ts";
import { findListener, inodesListening } from "../ports.ts";
import { mustRun, run } from "../run.ts";
import { parseUnit } from "../systemd.ts";

describe("a program of the machine", () => {
  it("ends with any exit code, also when there is none of its name", async () => {
    assert.equal((await run(["sh", "-c", "exit 3"])).exitCode, 3);
    assert.equal((await run(["longshore-is-no-such-program"])).exitCode, 127);
  });

  it("gets what it is given, and nothing else", async () => {
    const { stdout } = await run(["sh", "-c", 'cat; echo "$PWD $ONE"'], { input: "text ", env: { ONE: "1" } });
    assert.equal(stdout, "text / 1\n");
    assert.equal((await run(["cat"])).stdout, "");
  });

  it("is ended when its time is over", async () => {
    assert.notEqual((await run(["sleep", "600"], { timeoutMs: 50 })).exitCode, 0);
  });

  it("ends with the process that runs it, unless it must not end half-way", async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "longshore-run-"));
    t.after(() => rm(directory, { recursive: true }));
    const program = `import { run } from ${JSON.stringify(new URL("../run.ts", import.meta.url).href)};
      const sleep = (name) => ["sh", "-c", 'echo $$ >"$0/$1.new"; mv "$0/$1.new" "$0/$1"; exec sleep 60', ${JSON.stringify(directory)}, name];
      run(sleep("usual"));
      run(sleep("lasting"), { mayOutlive: true });`;
    const parent = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
    const pidOf = (name: string) =>
      pollUntil(async () => Number(await readFile(join(directory, name), "utf8").catch(() => 0)) || undefined, {
        timeoutMs: 20_000,
      });
    const [usual = 0, lasting = 0] = await Promise.all(["usual", "lasting"].map(pidOf));
    parent.kill("SIGKILL");
    try {
      assert.ok(await pollUntil(async () => !isLive(usual), { timeoutMs: 10_000 }));
      assert.ok(isLive(lasting));
    } finally {
      process.kill(lasting, "SIGKILL");
    }
  });

  it("reports its last line when it fails", async () => {
    assert.equal(await mustRun(["echo", "done"]), "done");
    await assert.rejects(mustRun(["sh", "-c", "echo first >&2; echo reason >&2; exit 1"]), /reason$/);
  });
});

function isLive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

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
