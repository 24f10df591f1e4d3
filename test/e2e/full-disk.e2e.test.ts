import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { mustRun } from "../../sandbox/command.ts";
import { pollUntil } from "../../src/lib/clock.ts";
import { longshore, startPlatform as startHere } from "../../src/tests/platform.ts";
import { type Platform, removeDirectory, startPlatform } from "../../stage/fixture.ts";

// The data directory is on a separate small disk, which is filled while the platform runs.

let directory: string;
let data: string;
let platform: Platform;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-full-"));
  data = join(directory, "data");
  await mustRun(["mkdir", data]);
  await mustRun(["mount", "-t", "tmpfs", "-o", "size=400m,mode=0700", "tmpfs", data]);
  platform = await startPlatform({ dataDirectory: data });
});
after(async () => {
  await platform?.stop();
  await mustRun(["umount", "--lazy", data]);
  await removeDirectory(directory);
});

const health = async () => {
  const answer = await fetch(`${platform.url}/api/v1/health`);
  return { status: answer.status, body: await answer.text() };
};

const another = { body: { name: "Another" } };

/** Writes a file until its disk has no room. PostgreSQL may write at the same time, so how much fits is not known before. */
async function fill(file: string): Promise<void> {
  const chunk = Buffer.alloc(1024 ** 2);
  try {
    for (;;) await appendFile(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

describe("the disk of the data directory", () => {
  it("is reported when it is full, by the health check and with each request that cannot be stored", async () => {
    assert.equal((await health()).status, 200);
    const filler = join(data, "filler");
    await fill(filler);
    const full = await health();
    assert.equal(full.status, 503);
    assert.match(full.body, /The disk of the data directory is full/);
    // Requests are answered until PostgreSQL has used up its reserved space.
    const statuses = new Set<number>();
    assert.ok(
      await pollUntil(
        async () => {
          statuses.add((await platform.client.answer("POST /api/v1/organizations", another)).status);
          return statuses.has(503);
        },
        { timeoutMs: 60_000 },
      ),
    );
    assert.deepEqual(
      [...statuses].filter((status) => status !== 201 && status !== 503),
      [],
    );
    await rm(filler);
    assert.ok(await pollUntil(async () => (await health()).status === 200, { timeoutMs: 60_000 }));
    await platform.client("POST /api/v1/organizations", another);
  });
});

describe("a first start", () => {
  const disks: Record<string, string> = {
    "a full disk": "size=100k",
    "a disk that the database does not fit on": "size=40m",
    "a disk without room for more files": "size=400m,nr_inodes=500",
  };

  for (const [name, options] of Object.entries(disks)) {
    it(`on ${name} ends with a sentence about the disk, and works once there is room`, async (t) => {
      const small = await mkdtemp(join(tmpdir(), "longshore-small-"));
      await mustRun(["mount", "-t", "tmpfs", "-o", `${options},mode=0700`, "tmpfs", small]);
      t.after(async () => {
        await mustRun(["umount", "--lazy", small]);
        await removeDirectory(small);
      });
      const { exitCode, stderr } = await longshore(["up", "--data", small, "--port", "0"]);
      assert.equal(exitCode, 1);
      assert.match(stderr, /^longshore: .*[Tt]he disk of .*\n$/);
      assert.match(stderr, /[Mm]ake room on it, and start again\.\n$/);
      await mustRun(["mount", "-o", "remount,size=400m,nr_inodes=20000", small]);
      const later = await startHere(small);
      later.signal("SIGTERM");
      assert.equal((await later.ended).exitCode, 0);
    });
  }
});
