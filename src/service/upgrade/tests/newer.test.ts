import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pollUntil } from "../../../lib/clock.ts";
import { version } from "../../../lib/version.ts";
import { startPlatform } from "../../../tests/platform.ts";

let directory: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-newer-"));
  const sum = "0".repeat(64);
  const lines = [`${sum}  longshore-0.1.0.tgz`, `${sum}  longshore-99.0.0.tgz`, `${sum}  longshore-99.1.0-rc.1.tgz`];
  await writeFile(join(directory, "SHA256SUMS"), `${lines.join("\n")}\n`);
});

after(() => rm(directory, { recursive: true }));

/** What a platform with these settings reports as its newest version, in the end. */
async function newestOf(env: Record<string, string>, isEnd: (newest: string | null) => boolean): Promise<void> {
  const platform = await startPlatform(join(directory, "data"), { LONGSHORE_UPDATE_SOURCE: directory, ...env });
  try {
    const ask = async () => {
      const answer = await fetch(`${platform.url}/api/v1/version`);
      const { data } = (await answer.json()) as { data: { version: string; newest_version: string | null } };
      assert.equal(data.version, version);
      return isEnd(data.newest_version);
    };
    assert.ok(await pollUntil(ask, { timeoutMs: 30_000 }));
  } finally {
    platform.signal("SIGTERM");
    await platform.ended;
  }
}

describe("the newest version", () => {
  it("is that of the update source, if it is looked up", () =>
    newestOf({ LONGSHORE_UPDATE_CHECK: "on" }, (newest) => newest === "99.0.0"));

  it("is not looked up by default", () => newestOf({}, (newest) => newest === null));
});
