import assert from "node:assert/strict";
import { mkdir, mkdtemp, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findCurrentVersion, type ServiceLayout, serviceLayout, versionDirectory } from "../layout.ts";
import { switchVersion } from "../versions.ts";

describe("the version that runs", () => {
  let layout: ServiceLayout;
  let root: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "longshore-versions-"));
    layout = serviceLayout(root);
    for (const version of ["0.3.0", "0.4.0-rc.1"]) {
      const directory = versionDirectory(layout, version);
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, "longshore"), "");
    }
  });

  after(() => rm(root, { recursive: true }));

  it("is none before the first installation", () => assert.equal(findCurrentVersion(layout), undefined));

  it("is the one that was switched to", async () => {
    for (const version of ["0.3.0", "0.4.0-rc.1", "0.3.0"]) {
      await switchVersion(layout, version);
      assert.equal(findCurrentVersion(layout), version);
      assert.equal(await readlink(layout.current), `versions/${version}`);
    }
  });

  it("stays when the other one is not installed, or no version", async () => {
    await assert.rejects(switchVersion(layout, "0.9.0"), /no Longshore 0\.9\.0/);
    await assert.rejects(switchVersion(layout, "../../etc"), /no version|not a version/);
    assert.equal(findCurrentVersion(layout), "0.3.0");
  });
});
