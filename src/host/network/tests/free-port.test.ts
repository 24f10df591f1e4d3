import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { scriptFile } from "../../script-file.ts";
import { lines, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-free-port-"));
after(() => rmSync(directory, { recursive: true }));

// A listening process under a name of its own choice. It prints its port.
const listen = (name: string): ChildProcess =>
  spawn(
    "perl",
    [
      "-MIO::Socket::INET",
      "-e",
      `$0 = shift; $| = 1;
       my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die;
       print $socket->sockport, "\\n"; sleep`,
      name,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );

for (const [what, distance] of [
  ["a port", 0],
  ["its companion", 1_000],
] as const) {
  test(`${what} is taken from the process that holds it, and not from one that it names`, async () => {
    const victim = spawn("sleep", ["infinity"]);
    const holder = listen(`",pid=${victim.pid}`);
    const ended = once(holder, "exit");
    try {
      const [port] = await once(holder.stdout as NodeJS.EventEmitter, "data");
      // The user of this test is a project's, and the port that of another one.
      const uid = Number(process.getuid?.());
      const freePort = scriptFile(new URL("../free-port.sh", import.meta.url), {
        first_uid: uid,
        last_uid: uid,
        companion_distance: 1_000,
        first_port: 65_536,
      });
      const { code, stderr } = await runBash(
        lines(sh`set -- ${Number(port) + distance} ${uid === 1 ? "root" : "daemon"}`, freePort),
        directory,
      );
      assert.deepEqual([code, stderr], [0, ""]);
      assert.equal((await ended)[1], "SIGKILL");
      assert.equal(victim.exitCode ?? victim.signalCode, null, "the process that was named was ended");
      assert.ok(victim.kill("SIGTERM"));
      assert.equal((await once(victim, "exit"))[1], "SIGTERM");
    } finally {
      victim.kill("SIGKILL");
      holder.kill("SIGKILL");
    }
  });
}

test("a process on the port of another project is left alone by a port without a companion", async () => {
  const holder = listen("holder");
  try {
    const [port] = await once(holder.stdout as NodeJS.EventEmitter, "data");
    const uid = Number(process.getuid?.());
    const variables = { first_uid: uid, last_uid: uid, companion_distance: 1_000, first_port: 1_024 };
    const freePort = scriptFile(new URL("../free-port.sh", import.meta.url), variables);
    const { code } = await runBash(
      lines(sh`set -- ${Number(port) + 1_000} ${uid === 1 ? "root" : "daemon"}`, freePort),
      directory,
    );
    assert.deepEqual([code, holder.exitCode ?? holder.signalCode], [0, null]);
  } finally {
    holder.kill("SIGKILL");
  }
});
