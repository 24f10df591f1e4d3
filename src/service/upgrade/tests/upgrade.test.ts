import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { findCurrentVersion } from "../../layout.ts";
import { readEnding, readJournal } from "../journal.ts";
import { Machine } from "./machine/machine.ts";

let machine: Machine;

beforeEach(async () => {
  machine = await Machine.start();
});
afterEach(() => machine.end());

const before = { schema: 1, rows: ["a server"] };
const migrated = { schema: 2, rows: ["a server"] };
const working = { version: "0.4.0", schema: 2 };
const broken = { version: "0.4.0", schema: 2, isBroken: true };

/** 0.4.0 serves, with the data from before. */
async function assertUpgraded(): Promise<void> {
  await machine.awaitVersion("0.4.0");
  assert.deepEqual(await machine.stored(), migrated);
  await assertSettled("0.4.0");
}

/** 0.3.0 serves, and its data is what it was. */
async function assertTakenBack(): Promise<void> {
  await machine.awaitVersion("0.3.0");
  assert.deepEqual(await machine.stored(), before);
  await assertSettled("0.3.0");
}

/** Nothing of the upgrade is left that would act again. */
async function assertSettled(version: string): Promise<void> {
  const { layout } = machine;
  assert.equal(findCurrentVersion(layout), version);
  assert.equal(await readJournal(layout.journal), undefined);
  for (const path of [layout.hold, layout.holdDropIn, layout.bootUnit, layout.downloads])
    assert.ok(!existsSync(path), path);
}

describe("an upgrade", () => {
  it("installs the newest release, and keeps the former one and the data from before", async () => {
    await machine.offer({ version: "0.3.1", schema: 1 });
    await machine.offer({ version: "0.5.0-rc.1", schema: 3 });
    await machine.offer(working);
    const reply = await machine.upgrade();
    assert.equal(reply.outcome, "upgraded");
    assert.ok(reply.notes?.includes("* News of 0.4.0."));
    assert.ok(!reply.notes?.includes("* Old."));
    await assertUpgraded();
    const { layout } = machine;
    assert.deepEqual((await readdir(layout.versions)).sort(), ["0.3.0", "0.4.0"]);
    const copy = join(layout.backup, "database.json");
    assert.deepEqual(JSON.parse(await readFile(copy, "utf8")), before);
    assert.deepEqual((await stat(copy)).uid, (await stat(layout.data)).uid);
    assert.equal((await stat(layout.backup)).mode & 0o777, (await stat(layout.data)).mode & 0o777);
    assert.equal((await readEnding(layout.ending))?.outcome, "upgraded");
    assert.equal((await machine.upgrade()).outcome, "up_to_date");
  });

  it("keeps only the last of the former versions", async () => {
    for (const version of ["0.3.1", "0.3.2"]) {
      await machine.offer({ version, schema: 1 });
      assert.equal((await machine.upgrade()).outcome, "upgraded");
    }
    assert.deepEqual((await readdir(machine.layout.versions)).sort(), ["0.3.1", "0.3.2"]);
  });

  it("installs a package file", async () => {
    const from = await machine.pack(working);
    assert.equal((await machine.upgrade({ from })).outcome, "upgraded");
    await assertUpgraded();
  });

  it("has npm install what a package lacks, and leaves nothing of it if that fails", async () => {
    await machine.offer({ ...working, isBare: true });
    const npm = join(machine.root, "bin/npm");
    await writeFile(npm, "#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\nexit 1\n", { mode: 0o755 });
    assert.match((await machine.upgrade()).error ?? "", /npm error code ENOTFOUND/);
    assert.deepEqual(await readdir(machine.layout.versions), ["0.3.0"]);
    await assertTakenBack();
    await writeFile(npm, '#!/bin/sh\n[ "$1 $2" = "ci --prefix" ] && mkdir "$3/node_modules"\n');
    assert.equal((await machine.upgrade()).outcome, "upgraded");
    await assertUpgraded();
  });

  it("is taken back when a migration fails, and shows the reason and the log", async () => {
    await machine.offer(broken);
    const { outcome, reason, log } = await machine.upgrade();
    assert.equal(outcome, "taken_back");
    assert.equal(reason, "Longshore 0.4.0 does not start");
    assert.match(log?.at(-1) ?? "", /Migration 0099-broken failed/);
    await assertTakenBack();
  });

  it("replaces what a failed attempt left of the same version", async () => {
    await machine.offer(broken);
    await machine.upgrade();
    await machine.offer(working);
    assert.equal((await machine.upgrade()).outcome, "upgraded");
    await assertUpgraded();
  });

  it("is taken back when it is stopped", async () => {
    await machine.offer(working);
    const { outcome, reason } = await machine.upgrade({ stopAt: "switching begins" });
    assert.deepEqual([outcome, reason], ["taken_back", "it was interrupted"]);
    await assertTakenBack();
  });

  it("without a backup brings back only the program, and reports that it cannot read the database", async () => {
    await machine.offer(broken);
    const { outcome, down } = await machine.upgrade({ backup: false });
    assert.deepEqual([outcome, down], ["taken_back", true]);
    assert.equal(findCurrentVersion(machine.layout), "0.3.0");
    assert.deepEqual(await machine.stored(), migrated);
  });

  it("refuses an older version, one that is not there, and a database that it cannot back up", async () => {
    await machine.offer({ version: "0.2.0", schema: 1 });
    assert.match(
      (await machine.upgrade({ version: "0.2.0" })).error ?? "",
      /0\.2\.0 is older than the installed 0\.3\.0/,
    );
    assert.match((await machine.upgrade({ version: "0.9.0" })).error ?? "", /There is no version 0\.9\.0/);
    await machine.offer(working);
    await writeFile(machine.layout.settings, "DATABASE_URL=postgresql://localhost/longshore\n", { flag: "a" });
    assert.match((await machine.upgrade()).error ?? "", /--no-backup/);
    await assertTakenBack();
  });

  it("refuses a version that came as a Debian package", async () => {
    await machine.offer(working);
    // It finds the package that a file belongs to.
    await copyFile("/bin/true", join(machine.root, "bin/dpkg-query"));
    assert.match((await machine.upgrade()).error ?? "", /apt install/);
    await assertTakenBack();
  });

  it("refuses a damaged package, and one that is none", async () => {
    await machine.offer(working);
    const file = join(machine.source, "longshore-0.4.0.tgz");
    await writeFile(file, (await readFile(file)).subarray(0, -20));
    assert.match((await machine.upgrade()).error ?? "", /is damaged/);
    assert.match((await machine.upgrade({ from: file })).error ?? "", /is no package of Longshore|is damaged/);
    await writeFile(file, "text");
    assert.match((await machine.upgrade({ from: file })).error ?? "", /is no package of Longshore/);
    await assertTakenBack();
  });
});

const forward = ["stopping", "copying", "switching", "starting", "finishing"];
const back = ["returning", "restarting"];
const moments = (phases: readonly string[]) => phases.flatMap((phase) => [`${phase} begins`, `${phase} ended`]);

describe("an upgrade whose process is killed", () => {
  for (const killAt of ["confirm", ...moments(forward)]) {
    it(`at "${killAt}" is continued by the next call`, async () => {
      await machine.offer(working);
      assert.ok((await machine.upgrade({ killAt })).killed);
      assert.match((await machine.upgrade()).outcome ?? "", /upgraded|up_to_date/);
      await assertUpgraded();
    });
  }

  for (const killAt of moments(["starting", ...back])) {
    it(`at "${killAt}", with a version whose migration fails, is taken back by the next call`, async () => {
      await machine.offer(broken);
      assert.ok((await machine.upgrade({ killAt })).killed);
      const { outcome, wasInterrupted } = await machine.upgrade();
      assert.deepEqual([outcome, wasInterrupted], ["taken_back", true]);
      await assertTakenBack();
    });
  }

  it("starts nothing but what the upgrade starts", async () => {
    await machine.offer(working);
    await machine.upgrade({ killAt: "copying ended" });
    await assert.rejects(machine.systemctl("start"), /Assertion failed/);
  });
});

describe("an upgrade during which the machine restarts", () => {
  for (const killAt of moments(["stopping", "copying", "switching", "starting"])) {
    it(`at "${killAt}" is taken back before the service starts`, async () => {
      await machine.offer(working);
      assert.ok((await machine.upgrade({ killAt })).killed);
      assert.equal((await machine.reboot()).outcome, "taken_back");
      await assertTakenBack();
    });
  }

  for (const killAt of moments(["finishing"])) {
    it(`at "${killAt}" is done`, async () => {
      await machine.offer(working);
      assert.ok((await machine.upgrade({ killAt })).killed);
      assert.equal((await machine.reboot()).outcome, "upgraded");
      await assertUpgraded();
    });
  }

  for (const killAt of moments(back)) {
    it(`at "${killAt}" continues to be taken back`, async () => {
      await machine.offer(broken);
      assert.ok((await machine.upgrade({ killAt })).killed);
      assert.equal((await machine.reboot()).outcome, "taken_back");
      await assertTakenBack();
    });
  }

  it("and again while it is taken back ends the same way", async () => {
    await machine.offer(working);
    await machine.upgrade({ killAt: "starting ended" });
    assert.ok((await machine.upgrade({ settle: "boot", killAt: "returning ended" })).killed);
    assert.equal((await machine.reboot()).outcome, "taken_back");
    await assertTakenBack();
  });

  it("keeps a version that has served for long: what it stored is not lost", async () => {
    await machine.offer(working);
    await machine.upgrade({ killAt: "starting ended" });
    const later = { schema: 2, rows: ["a server", "another server"] };
    await machine.store(later);
    await machine.useDatabaseAt(new Date(Date.now() + 3_600_000));
    assert.equal((await machine.reboot()).outcome, "upgraded");
    await machine.awaitVersion("0.4.0");
    assert.deepEqual(await machine.stored(), later);
  });

  it("without a backup continues with the version that has begun to migrate", async () => {
    await machine.offer(working);
    await machine.upgrade({ killAt: "starting begins", backup: false });
    assert.equal((await machine.reboot()).outcome, "upgraded");
    await assertUpgraded();
  });
});
