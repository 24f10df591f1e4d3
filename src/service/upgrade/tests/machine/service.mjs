// A version of Longshore as an upgrade sees it: the version and the schema that it needs are in its package.json. It migrates the
// database, refuses a newer one, and reports its health.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../../..");
const { version, schema, isBroken } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
const database = join(root, "var/lib/longshore-control/database.json");
const [, port] = /LONGSHORE_PORT=(\d+)/.exec(readFileSync(join(root, "etc/longshore-control/longshore.env"), "utf8"));

const stored = JSON.parse(readFileSync(database, "utf8"));
if (stored.schema > schema) {
  console.error(`The database is newer than this version of Longshore, ${version}`);
  process.exit(1);
}
while (stored.schema < schema) {
  stored.schema += 1;
  writeFileSync(database, JSON.stringify(stored));
}
if (isBroken) {
  console.error("longshore: Migration 0099-broken failed and was rolled back: there is no such column.");
  process.exit(1);
}
createServer((_, answer) => answer.setHeader("X-Longshore-Version", version).end()).listen(Number(port), "127.0.0.1");
