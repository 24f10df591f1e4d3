import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfig } from "../../../config.ts";
import { originsOf } from "../edge.ts";
import { redirectOf } from "../plain.ts";

const origins = originsOf(loadConfig({ LONGSHORE_DOMAIN: "panel.example.com,p.example.com" }));

const locationFor = (host: string | undefined, url = "/"): string | undefined =>
  redirectOf({ url, headers: host === undefined ? {} : { host } }, origins).location;

test("a configured name leads to the same address over HTTPS", () => {
  assert.equal(locationFor("panel.example.com", "/o/1?a=b"), "https://panel.example.com/o/1?a=b");
  assert.equal(locationFor("P.Example.com:80", "/"), "https://p.example.com/");
  assert.equal(locationFor("panel.example.com.", "/x"), "https://panel.example.com/x");
  assert.equal(locationFor("other.test", "http://panel.example.com/x"), "https://panel.example.com/x");
  assert.equal(locationFor("panel.example.com", "http://panel.example.com"), "https://panel.example.com/");
  assert.equal(locationFor("panel.example.com", "*"), "https://panel.example.com/");
});

test("another Host is never led anywhere", () => {
  const hosts = [
    "evil.test",
    "panel.example.com.evil.test",
    "panel.example.com@evil.test",
    "203.0.113.5",
    "",
    undefined,
  ];
  for (const host of hosts) assert.equal(locationFor(host), undefined, String(host));
  assert.equal(locationFor("panel.example.com", "http://evil.test/"), undefined);
  assert.equal(locationFor("panel.example.com", "http://panel.example.com@evil.test/"), undefined);
  assert.equal(redirectOf({ url: "/", headers: { host: "evil.test" } }, origins).status, 404);
});

test("a path cannot become another host", () => {
  for (const path of ["//evil.test/", "/\\evil.test", "@evil.test", ".evil.test/"]) {
    assert.equal(new URL(locationFor("panel.example.com", path) as string).host, "panel.example.com", path);
  }
});

test("the port is that of the public address", () => {
  const config = loadConfig({
    LONGSHORE_DOMAIN: "panel.example.com",
    LONGSHORE_PUBLIC_URL: "https://panel.example.com:8443",
  });
  assert.deepEqual([...originsOf(config)], [["panel.example.com", "https://panel.example.com:8443"]]);
});
