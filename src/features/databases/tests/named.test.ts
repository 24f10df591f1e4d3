import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseEnvironment } from "../../../host/environment/environment.ts";
import { databasesNamed } from "../named.ts";

const databases = [
  { database_name: "crm", username: "crm_user" },
  { database_name: "shop", username: "shop" },
];

const namedBy = (text: string): string[] => {
  const parsed = parseEnvironment(text);
  assert.ok("variables" in parsed);
  return databasesNamed(parsed.variables, databases).map(({ database_name }) => database_name);
};

describe("an environment names a database", () => {
  const naming: Record<string, string> = {
    "in Laravel's variables": "DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_DATABASE=crm\nDB_USERNAME=x",
    "in WordPress' variables": "DB_NAME=crm\nDB_USER=crm_user\nDB_HOST=localhost:3306",
    "by its user alone": "DB_USERNAME=crm_user",
    "in PostgreSQL's own variables": "PGHOST=/var/run/postgresql\nPGDATABASE=crm".replace(
      "/var/run/postgresql",
      "localhost",
    ),
    "in a second connection": "DB_DATABASE=other\nCRM_DB_DATABASE=crm",
    "in the address of MySQL": "DATABASE_URL=mysql://crm_user:p%40ss@127.0.0.1:3306/crm?charset=utf8mb4",
    "in the address of PostgreSQL": 'DIRECT_URL="postgresql://someone@localhost/crm"',
    "in an address without a name": "DATABASE_URL=postgres://crm_user:secret@[::1]",
    "in SQLAlchemy's address": "URL=mysql+pymysql://crm_user:x@localhost/crm",
  };
  for (const [how, text] of Object.entries(naming)) it(how, () => assert.deepEqual(namedBy(text), ["crm"]));
});

describe("an environment names no database of the server", () => {
  const others: Record<string, string> = {
    "with its name in another variable": "APP_NAME=crm\nCACHE_PREFIX=shop\nQUEUE=crm_user",
    "with a database of another host": "DB_HOST=10.1.2.3\nDB_DATABASE=crm\nDB_USERNAME=crm_user",
    "with the address of another host": "DATABASE_URL=mysql://crm_user:x@db.example.com/crm",
    "with a word of its address": "HOMEPAGE=https://crm_user@localhost/crm",
    "with an address that is none": "DATABASE_URL=mysql://",
    "with another user's database": "DATABASE_URL=mysql://crm_user:x@localhost/other",
  };
  for (const [how, text] of Object.entries(others)) it(how, () => assert.deepEqual(namedBy(text), []));
});
