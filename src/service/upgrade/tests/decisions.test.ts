import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changesBetween } from "../changelog.ts";
import { lackOfSpace } from "../space.ts";
import { chooseVersion, compareVersions, newestRelease } from "../version-order.ts";

describe("the order of versions", () => {
  it("is that of semantic versioning", () => {
    const ordered = [
      "0.2.0",
      "0.3.0-dev",
      "0.3.0-rc.1",
      "0.3.0-rc.2",
      "0.3.0-rc.10",
      "0.3.0-rc.10.a",
      "0.3.0",
      "0.3.1",
      "0.10.0",
    ];
    assert.deepEqual([...ordered].reverse().sort(compareVersions), ordered);
  });

  it("has releases without those for trying out", () => {
    assert.equal(newestRelease(["0.9.0", "0.10.0", "0.11.0-rc.1"]), "0.10.0");
    assert.equal(newestRelease([]), undefined);
  });
});

describe("the version to install", () => {
  const available = ["0.3.0", "0.3.1", "0.4.0", "0.5.0-rc.1"];

  it("is the newest release, or the one that is wanted", () => {
    assert.equal(chooseVersion("0.3.0", available, undefined), "0.4.0");
    assert.equal(chooseVersion("0.3.0-dev", ["0.3.0"], undefined), "0.3.0");
    assert.equal(chooseVersion("0.3.0", available, "0.3.1"), "0.3.1");
    assert.equal(chooseVersion("0.3.0", available, "0.5.0-rc.1"), "0.5.0-rc.1");
  });

  it("is none when the newest is installed, or a newer one than the source has", () => {
    assert.equal(chooseVersion("0.4.0", available, undefined), undefined);
    assert.equal(chooseVersion("0.4.0", available, "0.4.0"), undefined);
    assert.equal(chooseVersion("0.6.0", available, undefined), undefined);
  });

  it("is refused when it is older, missing or no version", () => {
    assert.throws(() => chooseVersion("0.4.0", available, "0.3.1"), /0\.3\.1 is older .* migrations only go forward/);
    assert.throws(
      () => chooseVersion("0.4.0", available, "0.4.1"),
      /There is no version 0\.4\.1\. The newest release is 0\.4\.0/,
    );
    assert.throws(() => chooseVersion("0.4.0", available, "../../etc"), /is no version/);
  });
});

describe("the lines of the changelog", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n* D\n\n## 0.4.0\n\n* C\n\n## 0.3.1\n\n* B\n\n## 0.3.0\n\n* A\n";

  it("are those after the installed version", () => {
    assert.deepEqual(changesBetween(changelog, "0.3.0", "0.4.0"), ["## 0.4.0", "", "* C", "", "## 0.3.1", "", "* B"]);
    assert.deepEqual(changesBetween(changelog, "0.3.0", "0.3.1"), ["## 0.3.1", "", "* B"]);
    assert.deepEqual(changesBetween(changelog, "0.4.0", "0.5.0-rc.1"), ["## Unreleased", "", "* D"]);
    assert.deepEqual(changesBetween("", "0.3.0", "0.4.0"), []);
  });

  it("are cut when they are very many", () => {
    const lines = changesBetween(`## 0.4.0\n${"* line\n".repeat(500)}`, "0.3.0", "0.4.0");
    assert.equal(lines.length, 201);
    assert.match(lines.at(-1) ?? "", /^… and 301 more lines/);
  });
});

describe("the disk space", () => {
  const mb = 1024 ** 2;

  it("is added up for each disk, and leaves what a database needs", () => {
    const room = (directory: string, device: number, bytes: number) => ({
      directory,
      device,
      bytes,
      freeBytes: 300 * mb,
    });
    assert.equal(lackOfSpace([room("/usr", 1, 200 * mb), room("/var", 2, 200 * mb)]), undefined);
    assert.match(
      lackOfSpace([room("/usr", 1, 200 * mb), room("/var", 1, 200 * mb)]) ?? "",
      /^The disk of \/usr has 300 MB free, and the upgrade needs 464 MB/,
    );
  });
});
