import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { isNetwork } from "../../../lib/addresses.ts";
import { domainName, redirectTarget } from "../../domain.ts";
import { projectLayout } from "../../layout.ts";
import type { Site } from "../model.ts";
import { nginxSite } from "../site.ts";
import { directivesOf, Nginx } from "./nginx.ts";

// Texts that users choose, in nginx's files: none of them becomes anything but the value that it is.

const pieces = [
  ...[
    '"',
    "'",
    ";",
    "{",
    "}",
    "\\",
    "\\\\",
    "#",
    "$host",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: nginx, not a template
    "${x}",
    "$",
    "%",
    "%22",
    "%0a",
    "%24",
    "@",
    ":80",
    "*",
    "~^.*$",
  ],
  ...[
    "\n",
    "\r\n",
    "\t",
    " ",
    "\0",
    "\u2028",
    "\ufeff",
    "\u2024",
    "\u3002",
    "\ud800",
    "é",
    "пароль",
    "/",
    "?",
    "#",
    "://",
    ".",
  ],
  ...["return 418;", '"; add_header X-Attack yes; #', "\n} server { listen 80; server_name b.test; }\n", "' yes; #"],
  ...[
    "a.test",
    "10.0.0.1",
    "a".repeat(63),
    `${"a".repeat(60)}.`.repeat(4),
    "ä".repeat(250),
    "x".repeat(1_900),
    "x".repeat(5_000),
  ],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 30 }),
);
/** A text of an attacker where a valid value is expected. */
const within = (before: readonly string[], behind: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...before), text, fc.constantFrom(...behind)).map((parts) => parts.join(""));
const names = within(["", "a", "xn--"], ["", ".test", ".b.test"]);
const targets = within(
  ["", "https://a.test", "http://a.test/", "https://a.test/?q=", "https://a.test/#", "HTTPS://"],
  ["", ".test", "/"],
);
const networks = within(["", "10.0.0.", "10.0.0.0/", "2001:db8::", "::/"], ["", "/8", "1"]);

/** A site in which these texts stand; the others are harmless. */
const site = ({
  name = "a.test",
  target = "https://b.test/x",
  network = "10.7.0.1",
  node = "10.7.0.2",
} = {}): Site[] => {
  const common = {
    layout: projectLayout(7),
    domains: [{ name: "first.test" }, { name }, { name: "old.test", redirectTo: target }],
    wwwRedirect: 0,
    redirectStatus: 301,
    proxies: [network],
  } as const;
  return [
    { ...common, kind: { family: "php" }, balancer: { addresses: [node] } },
    { ...common, kind: { family: "balanced", nodes: [{ id: 7, address: node }] } },
  ];
};
const directives = (sites: readonly Site[]): string[][] => sites.map((each) => directivesOf(nginxSite(each)));
const harmless = directives(site());

describe("nginx's file of a site", () => {
  test("is the same but for its values, whatever names, redirects and proxies the API accepts", async () => {
    const accepted = { names: new Set<string>(), targets: new Set<string>(), networks: new Set<string>() };
    const property = fc.property(names, targets, networks, (textOfName, textOfTarget, network) => {
      const name = domainName(textOfName);
      const target = redirectTarget(textOfTarget);
      const isAccepted = isNetwork(network) && !network.includes("%");
      assert.deepEqual(
        directives(site({ ...(name && { name }), ...(target && { target }), ...(isAccepted && { network }) })),
        harmless,
      );
      if (name) accepted.names.add(name);
      if (target) accepted.targets.add(target);
      if (isAccepted) accepted.networks.add(network);
    });
    fc.assert(property, { numRuns: 4_000, seed: 7 });
    await servesAll(accepted);
  });

  test("is written with no text that would be more than a value", () => {
    const field = fc.constantFrom("name", "target", "network", "node");
    let written = 0;
    const property = fc.property(field, fc.oneof(text, names, targets, networks), (key, value) => {
      let sites: string[][];
      try {
        sites = directives(site({ [key]: value }));
      } catch (error) {
        assert.match(String(error), /^Error: A site of nginx cannot contain/);
        return;
      }
      assert.deepEqual(sites, harmless);
      written++;
    });
    fc.assert(property, { numRuns: 4_000, seed: 7 });
    assert.ok(written > 100, `${written} were written`);
  });
});

const nginx = new Nginx();
after(() => nginx.stop());

/** A real nginx takes the texts for what they are. */
async function servesAll(accepted: Record<"names" | "targets" | "networks", ReadonlySet<string>>): Promise<void> {
  const [hosts = [], urls = [], networks = []] = [accepted.names, accepted.targets, accepted.networks].map((each) =>
    [...each].slice(0, 300),
  );
  const counts = [hosts.length, urls.length, networks.length];
  assert.ok(Math.min(...counts) >= 10, `${counts} were accepted`);
  const domains = [
    { name: "any.test" },
    ...hosts.map((name) => ({ name })),
    ...urls.map((redirectTo, at) => ({ name: `redirect-${at}.test`, redirectTo })),
  ];
  const layout = projectLayout(7, nginx.directory);
  mkdirSync(layout.logs, { recursive: true });
  // Of a network nginx warns about the bits behind its length.
  const proxies = networks.filter((each) => !each.includes("/"));
  const kind = { family: "static", spa: false } as const;
  await nginx.start([{ layout, kind, domains, proxies, wwwRedirect: 0, redirectStatus: 301 }]);
  for (const [at, url] of urls.entries()) {
    const { status, headers } = await nginx.get(`redirect-${at}.test`, "/path");
    assert.equal(status, 301);
    assert.ok([url, `${url}/path`].includes(headers.location ?? ""), `${url}: ${headers.location}`);
    assert.equal(headers["x-attack"], undefined);
  }
}
