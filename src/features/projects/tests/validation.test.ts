import assert from "node:assert/strict";
import { test } from "node:test";
import { projectErrors } from "../validation.ts";

test("trusted proxies are addresses and networks as in nginx, which has no zones", () => {
  const errors = (proxy: string) => projectErrors({ trusted_proxies: [proxy] });
  assert.deepEqual(errors("10.0.0.0/8"), {});
  for (const proxy of ["fe80::1%eth0", "10.0.0.0/33", "proxy.example"]) {
    assert.match(JSON.stringify(errors(proxy)), /The trusted proxies must be addresses or networks .* is not\./, proxy);
  }
});
