import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { loadConfig } from "../../../config.ts";
import { getApp } from "../catalog.ts";
import { compareVersions, isSameLine, listVersions, newestFor, reachableFrom, toolsOf } from "../versions.ts";

const cms = getApp("app_cms");

async function mirror(t: TestContext, body: string, status = 200): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const configOf = (url: string, checksums: "on" | "off") => ({
  config: loadConfig({}, { appsMirror: url, appsChecksums: checksums }),
});

describe("the versions of an application", () => {
  it("come from its origin, with the checksums that Longshore ships", async () => {
    const versions = await listVersions({ config: loadConfig({}) }, cms);
    assert.match(versions[0]?.archive.url ?? "", /^https:\/\/wordpress\.org\/wordpress-[\d.]+\.tar\.gz$/);
    assert.equal(versions[0]?.archive.checksum?.algorithm, "sha256");
  });

  it("come from a mirror under the same checksums", async () => {
    const [newest] = await listVersions(configOf("http://mirror.test", "on"), cms);
    assert.equal(newest?.archive.url, `http://mirror.test/app_cms/${newest?.archive.file}`);
    assert.equal(newest?.archive.checksum?.value, cms.versions[0]?.archive.checksum?.value);
    const [tool] = toolsOf(configOf("http://mirror.test", "on"), cms);
    assert.equal(tool?.checksum?.algorithm, "sha512");
  });

  it("are those of the mirror when checksums are off; what is no version is left out", async (t) => {
    const entries = [
      { version: "6.1.9", file: "wordpress-6.1.9.tar.gz" },
      { version: "9; reboot", file: "a" },
      { version: "9.0", file: "../a" },
      null,
    ];
    const url = await mirror(t, JSON.stringify(entries));
    const versions = await listVersions(configOf(url, "off"), cms);
    assert.deepEqual(
      versions.map(({ version, archive }) => [version, archive.checksum]),
      [["6.1.9", undefined]],
    );
  });

  it("cannot be read from a mirror that fails, or answers without end", async (t) => {
    const failing = configOf(await mirror(t, "", 500), "off");
    await assert.rejects(listVersions(failing, cms), /mirror of applications does not answer: it answers 500/);
    const endless = configOf(await mirror(t, `[${" ".repeat(100_000)}`), "off");
    await assert.rejects(listVersions(endless, cms), /its answer is too large/);
  });

  it("are chosen by the runtime: the newest that runs", () => {
    const version = (number: string, runtime: string) => ({ ...cms.versions[0], version: number, runtime });
    const versions = [version("7.0", "8.3"), version("6.10", "7.4"), version("6.9", "7.4")];
    const newest = (runtime: string | undefined) => newestFor(versions as never, runtime)?.version;
    assert.deepEqual(
      [newest("8.4"), newest("8.2"), newest("7.0"), newest(undefined)],
      ["7.0", "6.10", undefined, "7.0"],
    );
  });

  it("can be updated to without leaving out a major version where the application wants that", () => {
    const versions = ["34.0.4", "33.0.9", "32.0.1"].map((number) => ({ ...cms.versions[0], version: number }));
    const reached = (app: { isUpdatedStepwise?: boolean }) =>
      newestFor(reachableFrom(app, "32.0.1", versions as never), undefined)?.version;
    assert.deepEqual([reached(getApp("nextcloud")), reached(cms)], ["33.0.9", "34.0.4"]);
  });

  it("are compared number by number", () => {
    assert.ok(compareVersions("6.10", "6.9") > 0);
    assert.ok(compareVersions("6.9", "6.9.1") < 0);
    assert.equal(compareVersions("7", "7.0.0"), 0);
    assert.deepEqual([isSameLine("6.8.1", "6.8.5"), isSameLine("6.8.1", "6.9")], [true, false]);
  });
});
