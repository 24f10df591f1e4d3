import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { projectLayout } from "../../layout.ts";
import type { Site } from "../model.ts";
import { servedName, siteNames } from "../names.ts";
import { nginxSite } from "../site.ts";

test("the served name follows the www redirect", () => {
  const domains = [{ name: "old.test", redirectTo: "https://a.test" }, { name: "www.a.test" }];
  assert.equal(servedName({ domains, wwwRedirect: 0 }), "www.a.test");
  assert.equal(servedName({ domains, wwwRedirect: 1 }), "a.test");
  assert.equal(servedName({ domains: [{ name: "a.test" }], wwwRedirect: 2 }), "www.a.test");
});

describe("a certificate", () => {
  const site: Site = {
    layout: projectLayout(1),
    kind: { family: "static", spa: false },
    domains: [{ name: "a.test" }, { name: "b.test" }, { name: "old.test", redirectTo: "https://a.test" }],
    wwwRedirect: 1,
    redirectStatus: 301,
  };
  const withTls = (names: string[]) =>
    nginxSite({ ...site, tls: { certificate: "/c.pem", key: "/k.pem", names } })
      .split(/^server \{$/m)
      .slice(1)
      .map((block) => ({
        names: /server_name (.*);/.exec(block)?.[1],
        ports: [...new Set(block.match(/(?<=listen )\d+/g))].join(" "),
        sendsTo: /return 30\d "?(https?:\/\/|\$scheme)/.exec(block)?.[1],
      }));

  test("is asked for every name that the site answers to", () => {
    assert.deepEqual(siteNames(site), ["a.test", "b.test", "old.test", "www.a.test", "www.b.test"]);
  });

  test("is shown for the names it covers, and for no other", () => {
    assert.deepEqual(withTls(["a.test", "www.a.test"]), [
      { names: "a.test", ports: "80", sendsTo: "https://" },
      { names: "a.test", ports: "443", sendsTo: undefined },
      { names: "b.test", ports: "80", sendsTo: undefined },
      { names: "old.test", ports: "80", sendsTo: "https://" },
      { names: "www.a.test", ports: "80 443", sendsTo: "https://" },
      { names: "www.b.test", ports: "80", sendsTo: "$scheme" },
    ]);
  });

  test("is shown with its authority's OCSP response only where that offers it", () => {
    const withStapling = (stapled: boolean) =>
      nginxSite({ ...site, tls: { certificate: "/c.pem", key: "/k.pem", names: ["a.test"], stapled } });
    assert.match(withStapling(true), /ssl_certificate_key \/k\.pem;\n {4}ssl_stapling on;/);
    assert.doesNotMatch(withStapling(false), /stapling/);
  });

  test("brings along what else the server's nginx can do for HTTPS, and nothing of it over plain HTTP", () => {
    const [, , main = "", plain = ""] = nginxSite({
      ...site,
      tls: { certificate: "/c.pem", key: "/k.pem", names: ["a.test"] },
    }).split(/^server \{$/m);
    assert.match(main, /include \/etc\/nginx\/longshore-https\.d\/\*\.conf;/);
    assert.match(plain, /server_name b\.test;/);
    assert.doesNotMatch(plain, /longshore-https/);
  });

  test("that covers everything leaves nothing on plain HTTP but what sends visitors on", () => {
    const blocks = withTls(siteNames(site));
    assert.ok(blocks.every(({ ports, sendsTo }) => ports.includes("443") || sendsTo === "https://"));
  });
});
