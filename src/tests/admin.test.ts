import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { row, sql } from "../db/sql.ts";
import { isPassword } from "../lib/password.ts";

let database: TestDatabase;
let data: string;
before(async () => {
  database = await testDatabase();
  data = await mkdtemp(join(tmpdir(), "longshore-admin-"));
});
after(async () => {
  await database?.drop();
  await rm(data, { recursive: true });
});

const alice = ["--email", "alice@example.com", "--name", "Alice"];

async function adminUser(args: string[], input: string) {
  const main = join(import.meta.dirname, "../main.ts");
  const child = spawn(process.execPath, [main, "admin", "user", "--data", data, ...alice, ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url },
  });
  child.stdin.end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { exitCode: child.exitCode, output, errors };
}

const digest = async (): Promise<string> =>
  (await row<{ password: string }>(database.pool, sql`select password from auth_accounts`))?.password ?? "";

describe("admin user --password-stdin", () => {
  it("takes the password from standard input, where no list of processes shows it", async () => {
    const { exitCode, output, errors } = await adminUser(["--password-stdin"], "correct horse battery\nmore\n");
    assert.equal(exitCode, 0, errors);
    assert.ok(await isPassword("correct horse battery", await digest()));
    assert.ok(!`${output}${errors}`.includes("correct horse"));
  });

  it("leaves an entry in the audit log", async () => {
    const entry = await row(database.pool, sql`select action, user_email from audit_log order by id desc limit 1`);
    assert.deepEqual(entry, { action: "./longshore admin user", user_email: "alice@example.com" });
  });

  it("refuses an empty one, and one that comes twice", async () => {
    const before = await digest();
    assert.notEqual((await adminUser(["--password-stdin"], "")).exitCode, 0);
    const twice = await adminUser(["--password-stdin", "--password", "another horse"], "correct horse battery\n");
    assert.notEqual(twice.exitCode, 0);
    assert.equal(await digest(), before);
  });
});
