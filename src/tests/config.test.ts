import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import { loadConfig, mailServerOf, settings } from "../config.ts";

test("without any variable the defaults hold", () => {
  const config = loadConfig({});
  assert.equal(config.dataDirectory, resolve(".longshore"));
  assert.equal(config.port, 8080);
  assert.equal(config.role, "all");
  assert.equal(config.databaseUrl, undefined);
  assert.deepEqual(config.corsOrigins, []);
});

test("a variable replaces the default, the command line replaces the variable, and an empty variable is none", () => {
  assert.equal(loadConfig({ LONGSHORE_PORT: "9000" }).port, 9000);
  assert.equal(loadConfig({ LONGSHORE_PORT: "9000" }, { port: "9001" }).port, 9001);
  assert.equal(loadConfig({ LONGSHORE_PORT: "" }).port, 8080);
  assert.equal(loadConfig({ LONGSHORE_PORT: "9000" }, { port: undefined }).port, 9000);
});

test("the configuration cannot be changed", () => {
  const config = loadConfig({ LONGSHORE_CORS_ORIGINS: "https://a.example, https://b.example" });
  assert.deepEqual(config.corsOrigins, ["https://a.example", "https://b.example"]);
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.corsOrigins));
});

const refused = [
  ["LONGSHORE_PORT", "80a", 'LONGSHORE_PORT (--port) must be a whole number between 0 and 65535. It is "80a".'],
  ["LONGSHORE_PORT", "65536", 'LONGSHORE_PORT (--port) must be a whole number between 0 and 65535. It is "65536".'],
  ["LONGSHORE_ROLE", "both", 'LONGSHORE_ROLE (--role) must be one of all, api, worker. It is "both".'],
  [
    "LONGSHORE_PUBLIC_URL",
    "example.com",
    'LONGSHORE_PUBLIC_URL must be a URL that begins with http:// or https://. It is "example.com".',
  ],
  [
    "LONGSHORE_CORS_ORIGINS",
    "https://a.example/path",
    'LONGSHORE_CORS_ORIGINS must be a comma-separated list of origins such as https://console.example.com. It is "https://a.example/path".',
  ],
  ["LONGSHORE_PROT", "80", "LONGSHORE_PROT is not a setting. Did you mean LONGSHORE_PORT?"],
  ["LONGSHORE_BANANA", "1", "LONGSHORE_BANANA is not a setting. Remove it; docs/configuration.md lists all settings."],
] as const;

for (const [name, value, message] of refused) {
  test(`${name}=${value} ends with one sentence that names it`, () => {
    assert.throws(() => loadConfig({ [name]: value }), { code: "configuration", message });
  });
}

test("a process that does a part of the work needs a database that others reach", () => {
  for (const role of ["api", "worker"]) {
    assert.throws(() => loadConfig({ LONGSHORE_ROLE: role }), { code: "configuration", message: /set DATABASE_URL/ });
    assert.equal(loadConfig({ LONGSHORE_ROLE: role, DATABASE_URL: "postgresql://db/longshore" }).role, role);
  }
});

for (const [url, sender] of [
  ["https://panel.example.com:8443", "longshore@panel.example.com"],
  ["http://10.213.0.1:8080", "longshore@[10.213.0.1]"],
  ["http://[2001:db8::7]", "longshore@[IPv6:2001:db8::7]"],
] as const) {
  test(`mails of ${url} are from ${sender}`, () => {
    const config = loadConfig({ LONGSHORE_PUBLIC_URL: url, LONGSHORE_SMTP_URL: "smtp://mail.example.com" });
    assert.equal(mailServerOf(config)?.from, sender);
  });
}

test("no secret is printed: not by a message, not by JSON, not by inspection", () => {
  assert.throws(
    () => loadConfig({ DATABASE_URL: "mysql://u:hunter2@host" }),
    (error: Error) => error.message.startsWith("DATABASE_URL must be") && !error.message.includes("hunter2"),
  );
  const config = loadConfig({ DATABASE_URL: "postgresql://u:hunter2@host/db", LONGSHORE_SECRET_KEY: "hunter2" });
  assert.equal(config.secretKey, "hunter2");
  for (const printed of [JSON.stringify({ config }), inspect({ config }), `${inspect(config)}`]) {
    assert.ok(!printed.includes("hunter2"), printed);
  }
});

test("every default is a valid value of its own setting", () => {
  for (const setting of Object.values(settings)) {
    if ("default" in setting) assert.notEqual(setting.parse(setting.default), undefined, setting.env);
  }
});
