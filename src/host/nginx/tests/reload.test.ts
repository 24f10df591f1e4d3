import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { freePort } from "../../../../stage/free-port.ts";
import { withPrelude } from "../../runner/prelude.ts";
import { lines, type Script, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";
import { reloadFunctions } from "../reload.ts";
import { startNginx } from "./nginx.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-reload-"));
const pidFile = join(directory, "pid");
let nginx: ChildProcess;

before(async () => {
  writeFileSync(
    join(directory, "nginx.conf"),
    `user root; worker_processes 2; pid ${pidFile}; error_log ${directory}/error.log notice; events {} http {
     access_log off; server { listen 127.0.0.1:${await freePort()}; } }`,
  );
  nginx = startNginx(directory);
  await within(sh`
    until read -r master 2> /dev/null < ${pidFile} && workers_of "$master" && [[ $workers == *' '*' '* ]]; do sleep 0.02; done`);
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
  const { code, stdout, stderr } = await runBash(
    lines(reloadFunctions, sh`nginx_log=${join(directory, "error.log")}`, script),
    directory,
  );
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

describe("a reload of nginx", () => {
  it("is over when none of the former workers takes requests", async () => {
    const [former = "", left = "", now = ""] = (
      await within(sh`
        read -r master < ${pidFile}
        workers_of "$master"
        echo "$workers"
        former=$workers
        reload_nginx ${pidFile}
        for worker in $former; do if takes_requests "$worker"; then echo "$worker"; fi; done | xargs
        workers_of "$master"
        echo "$workers"`)
    ).split("\n");
    const numbers = (text: string) => text.trim().split(/\s+/).filter(Boolean);
    assert.equal(numbers(former).length, 2);
    assert.deepEqual(numbers(left), []);
    assert.deepEqual(
      numbers(now).filter((worker) => numbers(former).includes(worker)),
      [],
    );
  });

  it("is not taken for done when a worker that crashed is replaced", async () => {
    const answer = await within(sh`
      read -r master < ${pidFile}
      workers_of "$master"
      former=$workers
      read -r crashed left <<< "$workers"
      kill -KILL "$crashed"
      # Until the one that stands in is at work.
      stands_in() { workers_of "$master"; [[ $workers == *' '*' '* && " $workers " != *" $crashed "* ]]; }
      until stands_in; do sleep 0.02; done
      # Nothing has asked nginx to reload: the wait ends when this takes the other one away.
      (sleep 0.2; kill -KILL "$left") &
      await_reload "$master" "$former" 0
      takes_requests "$left" || echo 'the other one is gone, too'`);
    assert.equal(answer, "the other one is gone, too");
  });

  it("fails when nginx refuses its files, and nginx keeps serving with those it has", async () => {
    const file = join(directory, "nginx.conf");
    const former = readFileSync(file, "utf8");
    writeFileSync(file, `nonsense; ${former}`);
    const answer = await within(sh`
      read -r master < ${pidFile}
      workers_of "$master"
      former=$workers
      if reload_nginx ${pidFile}; then echo reloaded; else echo "$answer"; fi
      workers_of "$master"
      [ "$workers" = "$former" ]`);
    writeFileSync(file, former);
    assert.match(answer, /\[emerg\].*unknown directive "nonsense"/);
  });

  it("is not announced any more when the step ends before it", async () => {
    const announcement = join(directory, "reloading");
    const body = lines(
      reloadFunctions,
      sh`
        nginx_reloading=${announcement}
        grep() { return 1; }
        ss() { echo connection; }
        announce_reload
        [ -e ${announcement} ]
        exit 3`,
    );
    assert.equal((await runBash(withPrelude("It was not reloaded.", body), directory)).code, 3);
    assert.ok(!existsSync(announcement));
  });
});
