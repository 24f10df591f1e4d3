import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { Pool } from "../../../src/db/pool.ts";
import { deploy, deploymentEnd, waitFor } from "../../../stage/api-client.ts";
import { visit } from "../../../stage/projects.ts";
import { bodyOf, deployToEnd, install, lengthy, openStage, type Project, type Stage } from "../../../stage/support.ts";
import {
  attackFiles,
  canary,
  duringJob,
  forgetPreparation,
  openPlatformDatabase,
  readReport,
  reported,
  reportOf,
  runOnce,
  soon,
} from "./support.ts";

// Code of a project attacks its neighbours: their files, memory, ports, processes, and their needs of the server.

let stage: Stage;
let pool: Pool;
let victim: Project;
let victimApp: Project;
/** A PHP project, whose code also runs in jobs and builds. */
let hostile: Project;
let hostileApp: Project;
let hostileSite: Project;

const secret = canary();
const argument = canary();
let probe: string;
let cronOutput: () => Promise<string>;

const victimFiles = {
  "config.php": `<?php return ["password" => "${secret}"];`,
  "public/index.php": `<?php
    $config = include __DIR__ . "/../config.php";
    apcu_add("${secret}", "kept");
    echo "victim ", apcu_fetch("${secret}");`,
  "public/restarts.php": `<?php echo opcache_get_status(false)["opcache_statistics"]["manual_restarts"];`,
};

const hostileFiles = {
  "public/index.php": "<?php echo 'hostile';",
  "public/apcu.php": `<?php
    foreach (new APCUIterator() as $entry) {
      echo $entry["key"], " ";
      apcu_store($entry["key"], "stolen");
    }
    apcu_store("${secret}", "stolen");`,
  "public/clear.php": "<?php apcu_clear_cache();",
  "public/include.php": `<?php print_r(@include $_GET["path"]);`,
  "public/scripts.php": `<?php echo implode(" ", array_keys(opcache_get_status()["scripts"]));`,
  "public/reset.php": "<?php opcache_reset();",
  "public/run.php": `<?php echo shell_exec("bash " . escapeshellarg($_GET["script"]) . " 2>&1");`,
};

const appOf = (text: string): string => `
  const { exec } = require("node:child_process");
  require("node:http").createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    if (url.pathname === "/crash") process.exit(1);
    const script = url.searchParams.get("script");
    if (script === null) response.end("${text}");
    else exec("bash " + script, (_, output, errors) => response.end(output + errors));
  }).listen(process.env.PORT, "127.0.0.1");`;

before(async () => {
  stage = await openStage("attack-neighbours");
  pool = await openPlatformDatabase(stage);
  const attack = await attackFiles();
  const build = { install: "true", build: "if [ -e ~/../shared/build.sh ]; then bash ~/../shared/build.sh; fi" };
  const app = { frameworkId: 8, commands: { install: "true", build: "true", dev: "node server.js" } };
  const more = { environment_variables: `SECRET=${secret}\n` };
  [victim, victimApp, hostile, hostileApp, hostileSite] = await Promise.all([
    install(stage, { name: "victim", frameworkId: 4, files: victimFiles, commands: { install: "true" }, more }),
    install(stage, {
      name: "victim-app",
      ...app,
      files: { "server.js": appOf(secret) },
      commands: { ...app.commands, dev: `node server.js ${argument}` },
    }),
    install(stage, { name: "hostile", frameworkId: 4, files: { ...hostileFiles, ...attack }, commands: build }),
    install(stage, { name: "hostile-app", ...app, files: { "server.js": appOf("hostile"), ...attack } }),
    install(stage, {
      name: "hostile-site",
      frameworkId: 10,
      files: { "dist/index.html": "hostile", ...attack },
      more: { output_directory: "dist" },
    }),
  ]);
  const about = [victimApp.id, victimApp.domain, argument, await portOf(victimApp)];
  probe = `set -- ${about.join(" ")}\n${attack["attack/probe.sh"]}`;
  cronOutput = await beginInCron(probe);
}, lengthy);

after(async () => {
  await pool?.end();
  await stage?.close();
});

const get = async ({ domain }: Project, path = "/"): Promise<string> =>
  (await visit({ address: stage.server.address, host: domain, path })).body;

const release = async ({ home }: Project): Promise<string> => `${home}/${await stage.bash(`readlink ${home}/current`)}`;

const portOf = async ({ id }: Project): Promise<number> =>
  Number((await stage.client("GET /api/v1/projects/{id}", { params: { id } })).port);

describe("a static site that exchanges its files for links under nginx", () => {
  it("is served no file of another project", async () => {
    const own = await release(hostileSite);
    await runOnce(stage, hostileSite, `ln -s ${await release(victim)} ${own}/elsewhere`);
    await duringJob(stage, hostileSite, `perl attack/exchange.pl ${own}/dist ${own}/elsewhere`, async () => {
      const served = { own: 0, other: 0 };
      const comeAgain = async () => {
        for (let n = 0; n < 150; n++) {
          if ((await get(hostileSite, "/config.php")).includes(secret)) served.other += 1;
          if ((await get(hostileSite)) === "hostile") served.own += 1;
        }
      };
      await Promise.all([comeAgain(), comeAgain(), comeAgain(), comeAgain()]);
      assert.equal(served.other, 0, `${served.other} of 600 times`);
      assert.notEqual(served.own, 0);
    });
  });
});

describe("a PHP project", () => {
  it("neither reads nor changes what another one keeps in memory", async () => {
    assert.equal(await bodyOf(stage, victim), "victim kept");
    const keys = await get(hostile, "/apcu.php");
    assert.ok(!keys.includes(secret), "it reads the keys");
    assert.equal(await bodyOf(stage, victim), "victim kept");
  });

  it("cannot empty the memory of another one", async () => {
    const restarts = await get(victim, "/restarts.php");
    await get(hostile, "/clear.php");
    await get(hostile, "/reset.php");
    await bodyOf(stage, victim);
    assert.equal(await get(victim, "/restarts.php"), restarts);
  });

  it("cannot run the scripts of another one, nor see which there are", async () => {
    const path = `${await release(victim)}/config.php`;
    for (let n = 1; n <= 20; n++) {
      await bodyOf(stage, victim);
      const included = await get(hostile, `/include.php?path=${path}`);
      assert.ok(!included.includes(secret), `visit ${n}: ${included}`);
    }
    const scripts = await get(hostile, "/scripts.php");
    assert.ok(!scripts.includes(victim.home), scripts);
  });
});

describe("code that takes every port that is free", () => {
  /** From a job, a Node process and a PHP page. */
  async function whileTaken(work: () => Promise<void>): Promise<void> {
    const live = await portOf(victimApp);
    const own = await portOf(hostileApp);
    const ports = Array.from({ length: 20 }, (_, n) => 20_000 + n).filter((port) => port >> 1 !== own >> 1);
    assert.ok(ports.includes(live));
    const command = `perl attack/take-ports.pl 300 ${ports.join(" ")}`;
    const beside = `setsid --fork ${command} > /dev/null 2>&1 < /dev/null`;
    await runInApp(`cd ${await release(hostileApp)}; ${beside}`);
    await runInPage(`cd ${await release(hostile)}; ${beside}`);
    try {
      await duringJob(stage, hostile, command, work);
    } finally {
      await stage.bash("pkill -f '^perl attack/take-ports' || true");
    }
  }

  it("gets no visitor of a process that crashed", async () => {
    await whileTaken(async () => {
      const bodies: string[] = [await get(victimApp, "/crash")];
      const isBack = async () => bodies[bodies.push(await get(victimApp)) - 1] === secret;
      await waitFor("the process to be back", isBack, { timeoutMs: 300_000 }).catch((error) => {
        assert.ok(!bodies.includes("stolen"), "visitors got to the attacker");
        throw error;
      });
      assert.ok(!bodies.includes("stolen"), "visitors got to the attacker");
    });
  });

  /**
   * Where the kernel keeps no port for its project (control groups v1), the attacker may have it in the instant before the process
   * listens. The next deployment takes it back.
   */
  async function deployAgainstThief(): Promise<void> {
    const keepsPorts = (await stage.bash("stat -fc %T /sys/fs/cgroup")) === "cgroup2fs";
    for (let left = keepsPorts ? 0 : 4; ; left--) {
      const { status, error } = await deployToEnd(stage, victimApp);
      if (status === 1) return;
      assert.ok(left > 0 && /EADDRINUSE/.test(error ?? ""), error ?? "");
      assert.equal(await get(victimApp), secret, "the former release serves on");
    }
  }

  it("keeps no other project from deploying", async () => {
    await whileTaken(async () => {
      for (let n = 1; n <= 2; n++) {
        await deployAgainstThief();
        assert.equal(await get(victimApp), secret);
      }
    });
  });
});

describe("code that locks whatever it can open", () => {
  it("holds up no work for another project", async () => {
    await duringJob(stage, hostile, `perl attack/hold-locks.pl ${victim.id}`, async () => {
      await forgetPreparation(pool, victim);
      const id = await deploy(stage.client, victim.id);
      const ended = await deploymentEnd(stage.client, id, soon);
      assert.equal(ended.status, 1);
    });
  });
});

async function remove({ id, name }: Project): Promise<void> {
  await stage.client("DELETE /api/v1/project/{id}", { params: { id } });
  const query = "select 1 from runs where kind = 'project-removal' and subject_id = $1 and ended_at is not null";
  const isGone = async () => (await pool.query(query, [id])).rowCount === 1;
  await waitFor(`${name} to be gone`, isGone, soon);
}

describe("a project that is deleted", () => {
  const name = `left-${randomUUID()}`;
  let former: string[];
  let next: Project;

  const numbersOf = async ({ id }: Project): Promise<string[]> =>
    (await stage.bash(`getent passwd | grep -E '^project-${id}(-|:)' | cut -d : -f 3,4 | tr : '\\n'`)).split("\n");

  before(async () => {
    const files = { "index.html": "leaves", ...(await attackFiles()) };
    const leave = `bash attack/leave-behind.sh ${name}`;
    const project = await install(stage, { name: "leaves", files, commands: { build: leave } });
    await runOnce(stage, project, leave);
    former = await numbersOf(project);
    await remove(project);
    const more = { environment_variables: `SECRET=${secret}\n` };
    next = await install(stage, { name: "next", files: { "index.html": "next" }, more });
  }, lengthy);

  it("leaves neither file nor process, neither shared memory nor a line for cron", async () => {
    const owned = former.map((number) => `-uid ${number} -o -gid ${number}`).join(" -o ");
    const left = await stage.bash(`
      find / /tmp /run /dev/shm /dev/mqueue -xdev '(' ${owned} ')' -not -path '${next.home}*'
      cat /proc/sysvipc/shm /proc/sysvipc/sem /proc/sysvipc/msg | grep -wE '${former.join("|")}' || true
      ls /var/spool/cron/crontabs
      pgrep -u ${former.join(",")} -a || true`);
    assert.equal(left, "");
  });

  it("leaves its numbers to no other", async () => {
    const numbers = await numbersOf(next);
    assert.deepEqual(
      numbers.filter((number) => former.includes(number)),
      [],
    );
  });

  it("leaves no program that opens files of the next one", async () => {
    const environment = `${next.home}/environments/*/environment`;
    const [path] = (await stage.bash(`echo ${environment}`)).split(" ");
    const places = ["/tmp", "/var/tmp", "/dev/shm"].map((place) => `${place}/${name}`);
    const script = places.map((program) => `${program} -e 'open F, shift; print <F>' ${path}`).join("\n");
    const outputs = [await runInPage(script), await runInApp(script), await runInBuild(script)];
    for (const output of outputs) assert.ok(!output.includes(secret), output);
  });
});

/** Writes a script for code of the project to run; resolves with its path. */
async function place({ home, id }: Project, script: string, file = `${randomUUID()}.sh`): Promise<string> {
  const path = `${home}/shared/${file}`;
  await stage.bash(`cat > ${path} <<'END OF SCRIPT'\n${script}\nEND OF SCRIPT\nchown project-${id}: ${path}`);
  return path;
}

/** Runs it at this path, without waiting for the answer: visitors have less patience than some scripts need. */
async function runAt(project: Project, path: string, script: string): Promise<string> {
  const name = randomUUID();
  const run = `bash ${await place(project, script)}`;
  const inBackground = `{ ${run}; echo "[end]"; } > ${reportOf(project, name)} 2>&1 &`;
  const asked = { address: stage.server.address, host: project.domain };
  const url = `${path}?script=${await place(project, inBackground)}`;
  // A process that was attacked before may be restarting.
  const isTaken = async () => (await visit({ ...asked, path: url })).status === 200;
  await waitFor(`${project.name} to take the script`, isTaken, soon);
  const report = await reported(stage, project, name, /^\[end\]$/m);
  return report.replace(/\[end\]$/, "");
}

const runInPage = (script: string): Promise<string> => runAt(hostile, "/run.php", script);

const runInApp = (script: string): Promise<string> => runAt(hostileApp, "/", script);

async function runInBuild(script: string): Promise<string> {
  const path = await place(hostile, script, "build.sh");
  const ended = await deployToEnd(stage, hostile);
  await stage.bash(`rm ${path}`);
  return ended.output?.client_payload.join("\n") ?? "";
}

/** Makes cron run a script, within a minute; resolves with a function that waits for its output. */
async function beginInCron(script: string): Promise<() => Promise<string>> {
  const report = reportOf(hostile, "cron");
  const command = `bash ${await place(hostile, script)} > ${report}.new 2>&1; mv ${report}.new ${report}`;
  const body = { name: "Cron", cron_expression: "* * * * *", command };
  await stage.client("POST /api/v1/projects/{id}/scheduler-jobs", { params: { id: hostile.id }, body });
  return () => waitFor("cron", async () => (await readReport(stage, hostile, "cron")) || undefined, soon);
}

describe("code of a project that looks around", () => {
  const places: [string, () => Promise<string>][] = [
    ["a PHP page", () => runInPage(probe)],
    ["a Node process", () => runInApp(probe)],
    ["a build", () => runInBuild(probe)],
    ["a background job", async () => runOnce(stage, hostile, `bash ${await place(hostile, probe)}`)],
    ["a scheduled job", () => cronOutput()],
  ];
  for (const [name, output] of places) {
    it(`from ${name} finds nothing of another project, and no way to run later`, async () => {
      assert.equal((await output()).trim(), "[probed]");
      const kept =
        "find /var/spool/cron/crontabs /var/spool/cron/atjobs /var/lib/systemd/linger -type f 2> /dev/null || true";
      assert.equal(await stage.bash(kept), "");
    });
  }
});
