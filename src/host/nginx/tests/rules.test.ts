import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { projectLayout } from "../../layout.ts";
import type { Site, SiteKind } from "../model.ts";
import { sharedByAllSites } from "../shared.ts";
import { nginxSite } from "../site.ts";

// Rules that keep nginx's files readable and safe, for every kind of site.

const kinds: SiteKind[] = [
  { family: "static", spa: false },
  { family: "static", spa: true, assets: "build" },
  { family: "static", spa: "detected", assets: "build" },
  { family: "php", assets: "laravel" },
  { family: "node", ports: [20_000, 20_001] },
];
const balanced: SiteKind = {
  family: "balanced",
  nodes: [
    { id: 7, address: "10.0.0.2" },
    { id: 9, address: "10.0.0.3" },
  ],
};
const settings: Partial<Site>[] = [
  {},
  {
    tls: { certificate: "/c.pem", key: "/k.pem", names: ["a.test"], stapled: true },
    hsts: true,
    basicAuth: 1,
    markdownNegotiation: true,
    maxUploadMb: 2,
    proxies: ["192.0.2.1"],
  },
];
const site = (kind: SiteKind, over: Partial<Site>): string =>
  nginxSite({
    layout: projectLayout(7),
    kind,
    domains: [{ name: "a.test" }, { name: "b.test" }, { name: "old.test", redirectTo: "https://a.test" }],
    wwwRedirect: 1,
    redirectStatus: 301,
    ...over,
  });

const alone = kinds.flatMap((kind) => settings.map((over) => site(kind, over)));
const node = { balancer: { addresses: ["10.0.0.1"] } };
const nodes = kinds.flatMap((kind) => settings.map((over) => site(kind, { ...over, ...node })));
const balancers = settings.map((over) => site(balanced, { ...over, markdownNegotiation: false }));
const all = [sharedByAllSites, ...alone, ...nodes, ...balancers];

const maps = (text: string): number => text.match(/^\s*map /gm)?.length ?? 0;

/** The lines of `location` blocks, each with the text before its brace. */
const locations = (text: string): { head: string; lines: string[] }[] =>
  [...text.matchAll(/^ {4}(location .*) \{\n((?: {8}.*\n)*)/gm)].map(([, head = "", body = ""]) => ({
    head,
    lines: body.trim().split(/\n\s*/),
  }));

describe("nginx's files", () => {
  test("have few maps: 12 on a server without a load balancer, 16 with one", () => {
    for (const text of alone) assert.ok(maps(sharedByAllSites) + maps(text) <= 12);
    const most = Math.max(...balancers.map(maps)) + Math.max(...nodes.map(maps));
    assert.ok(maps(sharedByAllSites) + most <= 16);
  });

  test("are shown in docs/domains.md as they are", () => {
    const page = readFileSync(new URL("../../../../docs/domains.md", import.meta.url), "utf8");
    const shown = /```nginx\n(.*?)```/s.exec(page)?.[1];
    const domains = [{ name: "shop.example.com" }];
    const kind = { family: "node", ports: [20_000, 20_001] } as const;
    assert.equal(shown, nginxSite({ layout: projectLayout(7), kind, domains, wwwRedirect: 0, redirectStatus: 301 }));
  });

  test("use `if` for nothing but setting a variable and answering", () => {
    const conditions = all.flatMap((text) => text.match(/^\s*if \(.*\) \{(?:\s[^{}]*\}|\n(?:.*;\n)+)/gm) ?? []);
    assert.ok(conditions.length > 100);
    for (const condition of conditions) {
      const body = condition.slice(condition.indexOf(") {") + 3).replace("}", "");
      for (const directive of body.split(/;\s/).filter((part) => part.trim() !== ""))
        assert.match(directive.trim(), /^(?:set|return|rewrite) /, condition);
    }
  });

  test("believe no name that a visitor made up, and write no address decoded into a header", () => {
    for (const text of all) {
      assert.doesNotMatch(text, /\$http_host|\$arg_|\$cookie_/);
      assert.doesNotMatch(
        text,
        /(?:return|add_header|proxy_pass|proxy_set_header) [^;]*\$(?:uri|document_uri|[0-9])\b/,
      );
    }
  });

  test("lead out of no directory: what an alias stands for ends with a slash as the alias does", () => {
    const aliases = all
      .flatMap(locations)
      .flatMap(({ head, lines }) => lines.flatMap((line) => (/^alias .*;$/.test(line) ? [{ head, line }] : [])));
    assert.ok(aliases.length > 0);
    for (const { head, line } of aliases) {
      assert.match(head, /\/$/);
      assert.match(line, /\/;$/);
    }
  });

  test("serve the files of a project with its own links alone, or hand them to PHP", () => {
    const serving = [...alone, ...nodes]
      .flatMap(locations)
      .filter(({ lines }) => lines.some((line) => /^root /.test(line)));
    assert.ok(serving.length > 0);
    for (const { head, lines } of serving) {
      const isPhp = lines.some((line) => line.startsWith("fastcgi_pass "));
      assert.ok(isPhp || lines.some((line) => line.startsWith("disable_symlinks if_not_owner ")), head);
    }
  });

  test("lose no header of the site in a location, but where another server's headers come with the answer", () => {
    for (const { head, lines } of all.flatMap(locations)) {
      if (lines.some((line) => line.startsWith("add_header "))) assert.equal(head, "location @markdown");
    }
  });
});
