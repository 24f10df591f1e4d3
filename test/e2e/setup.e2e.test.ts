import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { waitFor } from "../../stage/api-client.ts";
import { readServer } from "../../stage/fixture.ts";
import { install, lengthy, openStage, type Stage } from "../../stage/support.ts";

/** Files that a project of another installation has left. */
const former = "/srv/longshore/projects/4321";

let stage: Stage;

before(async () => {
  stage = await openStage("setup-again");
}, lengthy);
after(() => stage?.close());

const server = () => ({ params: { id: stage.serverId } });
const read = () => readServer(stage.client, stage.serverId);
const listSetups = async () => (await stage.client("GET /api/v1/servers/{id}/setup-runs", server())).data;
const logOf = (run_id: number) =>
  stage.client("GET /api/v1/servers/{id}/setup-log", { ...server(), query: { run_id } });

/** Requests a setup and waits for its end; resolves with its state. */
async function setUp(how: "run" | "retry"): Promise<string | undefined> {
  await stage.client(`POST /api/v1/servers/{id}/setup/${how}`, server());
  await waitFor(
    "the end of the setup",
    async () => {
      const [newest] = await listSetups();
      return newest?.state !== "running";
    },
    { timeoutMs: 300_000 },
  );
  return (await listSetups())[0]?.state;
}

describe("a server that is set up already", () => {
  it("is brought back to what a setup makes of it, and its failed steps can be retried", async () => {
    const first = await read();
    assert.equal(first.setup_is_outdated, false);

    await stage.bash(`
      rm /etc/sysctl.d/*longshore*; mv /usr/sbin/nginx /usr/sbin/nginx.away
      mkdir -p ${former}/shared`);
    assert.equal(await setUp("run"), "completed_with_failures");
    const { data } = await stage.client("GET /api/v1/servers/{id}/setup-steps", server());
    assert.deepEqual(
      data.attention.map(({ key }) => key).filter((key) => key === "former-projects" || key === "nginx"),
      ["former-projects", "nginx"],
    );
    await stage.bash("ls /etc/sysctl.d/*longshore*");
    await stage.bash("mv /usr/sbin/nginx.away /usr/sbin/nginx");
    assert.equal(await setUp("retry"), "completed");

    const last = await read();
    const { updated_at, last_seen_at, usage } = last;
    assert.deepEqual(last, { ...first, updated_at, last_seen_at, usage });
    assert.equal((await stage.client.refusal("POST /api/v1/servers/{id}/setup/retry", server())).status, 422);
  });

  it("gives no new project the number of one that another installation left", async () => {
    const { id, home } = await install(stage, { name: "new", files: { "index.html": "new" } });
    assert.ok(id > 4321, String(id));
    assert.equal(await stage.bash(`ls -A ${former}; [[ -d ${home}/releases ]] && echo apart`), "shared\napart");
  });

  it("has the log of each of its setups", async () => {
    const setups = await listSetups();
    assert.equal(setups.length, 3);
    for (const { id } of setups) {
      const log = await logOf(id);
      assert.equal(log.is_complete, true);
      assert.ok(
        log.data.some(({ step, text }) => step === "summary" && text !== ""),
        `setup ${id}`,
      );
    }
    const [oldest] = setups.slice(-1);
    assert.ok(oldest);
    const { data } = await logOf(oldest.id);
    assert.match(
      data
        .filter(({ step }) => step === "packages")
        .map(({ text }) => text)
        .join(""),
      /^Every package is installed\.$/m,
    );
  });
});
