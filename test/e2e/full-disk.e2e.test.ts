import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Platform, removeDirectory, startPlatform } from "../../bench/fixture.ts";
import { mustRun } from "../../sandbox/command.ts";
import { pollUntil } from "../../src/lib/clock.ts";
import { must } from "../api-client.ts";

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

const create = () => platform.client.post("/api/v1/organizations", { name: "Another" });

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
          statuses.add((await create()).status);
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
    await must("Creating an organization", create());
  });
});
