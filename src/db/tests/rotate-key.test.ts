import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { newKey, openSecretBox } from "../../lib/secrets.ts";
import { checkKey } from "../key-check.ts";
import { listEncryptedColumns, rotateKey } from "../rotate-key.ts";

const [older, newer] = [newKey(), newKey()];
const box = (key: string) => openSecretBox({ key, file: "/nowhere" });

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

test("after a rotation everything is under the new key, and the old one can go", async () => {
  const { pool } = database;
  await checkKey(pool, box(older));
  await pool.query("insert into organizations (name) values ('Fruit')");
  for (const name of ["apple", "pear", "plum"]) {
    await pool.query(
      `insert into servers (organization_id, name, server_os, ssh_public_key, ssh_private_key)
       select id, $1, 'debian_12', '', $2 from organizations`,
      [name, box(older).encrypt(name)],
    );
  }
  assert.equal(await rotateKey(pool, box(`${newer},${older}`)), 4);
  assert.equal(await rotateKey(pool, box(`${newer},${older}`)), 0);
  await checkKey(pool, box(newer));
  const { rows } = await pool.query<{ name: string; key: Buffer }>("select name, ssh_private_key as key from servers");
  assert.deepEqual(
    rows.map((row) => box(newer).decrypt(row.key)),
    rows.map((row) => row.name),
  );
  await assert.rejects(checkKey(pool, box(older)), { code: "configuration" });
});

test("every bytea column is either rotated or known to hold no secret", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' order by 1`,
  );
  const rotated = (await listEncryptedColumns(database.pool)).map(({ table, column }) => `${table}.${column}`);
  const noSecrets = [
    "sign_in_attempts.bucket",
    "tokens.digest",
    "monitors.ping_digest",
    "idempotency_keys.fingerprint",
    "invitations.digest",
    "project_sources.hook_digest",
    "auth_used_codes.digest",
    "setup_code.digest",
    "mailed_links.digest",
    "sign_in_links.digest",
    "device_authorizations.device_digest",
    "device_authorizations.session_digest",
  ];
  assert.deepEqual(
    rows.map((row) => row.name).filter((name) => !rotated.includes(name) && !noSecrets.includes(name)),
    [],
    "say what the column holds: comment on column … is 'encrypted', or the list in this test",
  );
});
