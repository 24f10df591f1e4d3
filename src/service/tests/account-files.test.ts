import assert from "node:assert/strict";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { emptyAs, ownerToBe, readAs, sizeAs, writeAs } from "../account-files.ts";
import { mustRun } from "../run.ts";
import { copyData, lastUse } from "../upgrade/data-copy.ts";

const account = { uid: 4711, gid: 4711 };

describe("a directory of the service's user", {
  skip: process.getuid?.() !== 0 && "only root acts as another user",
}, () => {
  let root: string;
  let data: string;
  let ofRoot: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "longshore-account-"));
    await chmod(root, 0o755);
    [data, ofRoot] = [join(root, "data"), join(root, "root")];
    await mkdir(data);
    await chown(data, account.uid, account.gid);
    await mkdir(join(ofRoot, "data/global"), { recursive: true });
    await chmod(ofRoot, 0o700);
    await writeFile(join(ofRoot, "secret"), "of root", { mode: 0o600 });
    await writeFile(join(ofRoot, "data/global/pg_control"), "");
  });

  after(() => rm(root, { recursive: true }));

  it("has files that belong to its user", async () => {
    const file = join(data, "key");
    await writeAs(await ownerToBe(data), file, "text\n");
    assert.equal(await readAs(account, file), "text\n");
    const { uid, gid, mode } = await stat(file);
    assert.deepEqual([uid, gid, mode & 0o777], [account.uid, account.gid, 0o600]);
  });

  it("leads root nowhere through its links", async () => {
    for (const link of ["key", "key.new"]) {
      await rm(join(data, "key"), { force: true });
      await symlink(join(ofRoot, "secret"), join(data, link));
      assert.equal(await readAs(account, join(data, link)), undefined);
      await writeAs(account, join(data, "key"), "text");
    }
    await symlink(ofRoot, join(data, "tls"));
    await assert.rejects(writeAs(account, join(data, "tls/certificate.pem"), "text"));
    assert.equal(await readFile(join(ofRoot, "secret"), "utf8"), "of root");
    await symlink(ofRoot, join(data, "postgres"));
    assert.equal(await lastUse(data, account), undefined);
    await assert.rejects(sizeAs(account, join(data, "postgres/data")));
  });

  it("does not hold root up with a pipe", async () => {
    await mustRun(["mkfifo", join(data, "pipe")], { account });
    await rm(join(data, "key"), { force: true });
    await mustRun(["mv", join(data, "pipe"), join(data, "key")], { account });
    await writeAs(account, join(data, "key"), "text");
    assert.equal(await readAs(account, join(data, "key")), "text");
  });

  it("is emptied, as its copy is, with its user's rights alone", async () => {
    const upgrades = join(root, "upgrades");
    await mkdir(upgrades);
    const copy = join(upgrades, "backup");
    await copyData(data, copy, account);
    assert.equal(await readFile(join(copy, "key"), "utf8"), "text");
    await mkdir(join(copy, "foreign"), { mode: 0o700 });
    await writeFile(join(copy, "foreign/file"), "of root");
    await assert.rejects(copyData(data, copy, account), /foreign/);
    assert.equal(await readFile(join(copy, "foreign/file"), "utf8"), "of root");
    await emptyAs(account, data);
    assert.equal(await readFile(join(ofRoot, "secret"), "utf8"), "of root");
  });
});
