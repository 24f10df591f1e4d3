import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { freePort } from "../../../../test/free-port.ts";
import { lines, type Script, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";
import { takenUp } from "../reload.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-reload-"));
const pidFile = join(directory, "pid");
let nginx: ChildProcess;

before(async () => {
  writeFileSync(
    join(directory, "nginx.conf"),
    `user root; worker_processes 2; pid ${pidFile}; error_log ${directory}/error.log notice; events {} http {
     access_log off; server { listen 127.0.0.1:${await freePort()}; } }`,
  );
  nginx = spawn("nginx", ["-p", directory, "-c", "nginx.conf", "-g", "daemon off;"], { stdio: "ignore" });
  await within(sh`
    until read -r master 2> /dev/null < ${pidFile} && workers_of "$master" && [[ $workers == *' '*' '* ]]; do pause; done`);
});

after(async () => {
  if (nginx) {
    const ended = new Promise((resolve) => nginx.once("exit", resolve));
    nginx.kill("SIGTERM");
    await ended;
  }
  rmSync(directory, { recursive: true });
});

async function within(script: Script): Promise<string> {
  const { code, stdout, stderr } = await runBash(lines(takenUp, script), directory);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

/** From nginx's log: which process asked which one to finish. */
const dismissals = (): { by: string; worker: string }[] =>
  [
    ...readFileSync(join(directory, "error.log"), "utf8").matchAll(
      / (\d+)#\d+: signal 3 \(SIGQUIT\) received from (\d+)/g,
    ),
  ].map(([, worker = "", by = ""]) => ({ by, worker }));

describe("a reload of nginx", () => {
  /** One reload: whether the script and not nginx sent its former workers away, which nginx does 100 ms later. */
  async function isQuicker(): Promise<boolean> {
    const [self, master, former, left] = (
      await within(sh`
        read -r master < ${pidFile}
        await_idle "$master"
        workers_of "$master"
        echo "$$" "$master"
        echo "$workers"
        kill -HUP "$master"
        taken_up "$master" "$workers" 0
        for worker in $workers; do if takes_requests "$worker"; then echo "$worker"; fi; done`)
    )
      .split(/\n/)
      .flatMap((line, at) => (at === 0 ? line.split(" ") : [line.trim()]));
    assert.equal(left, undefined);
    assert.notEqual(self, master);
    const own = dismissals().filter(({ by }) => by === self);
    const sentAway = own.map(({ worker }) => worker).toSorted();
    return sentAway.join(" ") === former?.split(" ").toSorted().join(" ");
  }

  it("has its former workers sent away as soon as the new ones are at work", async () => {
    // A busy machine may let nginx be the first, but not every time.
    for (let tries = 1; !(await isQuicker()); tries++) assert.ok(tries < 30, "nginx was quicker every time");
  });

  it("leaves as many workers as there were", async () => {
    const count = await within(sh`
      read -r master < ${pidFile}
      children_of "$master"
      for ((tries = 0; tries < 1000 && \${#children[@]} != 2; tries++)); do pause; children_of "$master"; done
      echo "\${#children[@]}"`);
    assert.equal(count, "2");
    assert.doesNotMatch(readFileSync(join(directory, "error.log"), "utf8"), /\[(alert|crit|emerg)\]/);
  });

  it("is not taken for done when a worker that crashed is replaced", async () => {
    const said = await within(sh`
      read -r master < ${pidFile}
      workers_of "$master"
      read -r -a former <<< "$workers"
      kill -KILL "\${former[0]}"
      # Until the one that stands in is at work.
      stands_in() { workers_of "$master"; [[ $workers == *' '*' '* && " $workers " != *" \${former[0]} "* ]]; }
      until stands_in; do pause; done
      if are_replaced "$master" "\${former[@]}"; then echo replaced; else echo 'one is left'; fi`);
    assert.equal(said, "one is left");
  });
});
