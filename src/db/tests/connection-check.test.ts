import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { checkConnection } from "../connection-check.ts";

let database: TestDatabase;
let admin: TestDatabase["pool"];

before(async () => {
  database = await testDatabase({ migrated: false });
  admin = database.pool;
});
after(() => database.drop());

const name = (): string => new URL(database.url).pathname.slice(1);

const refusal = async (url: string): Promise<string> => {
  const error = await checkConnection(url).then(
    () => assert.fail("it was accepted"),
    (error: Error & { code?: string }) => error,
  );
  assert.equal(error.code, "configuration");
  return error.message;
};

/** Makes the database report another value of a setting that it cannot really have. */
async function report(setting: string, value: string): Promise<void> {
  await admin.query(`
    create schema if not exists pretence;
    create or replace function pretence.current_setting(setting text) returns text language sql as
      $$ select case when setting = '${setting}' then '${value}' else pg_catalog.current_setting(setting) end $$;
    alter database ${name()} set search_path = pretence, pg_catalog, public`);
}

const honest = () => admin.query(`alter database ${name()} reset search_path; drop schema if exists pretence cascade`);

test("a database that an installation can use is accepted", async () => {
  await checkConnection(database.url);
});

test("a PostgreSQL that is too old is refused, and the oldest supported one is not", async (t) => {
  t.after(honest);
  await report("server_version_num", "130023");
  assert.match(
    await refusal(database.url),
    /^DATABASE_URL: PostgreSQL at \S+ is version .*; Longshore needs 14 or newer\. Upgrade it, or use another one\.$/,
  );
  await report("server_version_num", "140000");
  await checkConnection(database.url);
});

test("a database that cannot be written is refused", async () => {
  const url = new URL(database.url);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  assert.match(
    await refusal(url.href),
    /is read-only: it is a standby, or was set so\. Name the primary, or all hosts/,
  );
});

test("a database in another encoding than UTF-8 is refused", async (t) => {
  const latin = `${name()}_latin`;
  await admin.query(`create database ${latin} encoding 'LATIN1' locale 'C' template template0`);
  t.after(() => admin.query(`drop database ${latin}`));
  assert.match(
    await refusal(database.url.replace(name(), latin)),
    new RegExp(`^DATABASE_URL: the database ${latin} has the encoding LATIN1\\. Create one in UTF8: create database`),
  );
});

test("a user who may not create tables is refused before anything is created", async () => {
  await admin.query("create schema barred; revoke create on schema barred from current_user");
  const url = new URL(database.url);
  url.searchParams.set("options", "-c search_path=barred");
  assert.match(await refusal(url.href), /may not create tables and schemas in the database .*Make it the owner: /);
});
