import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { projectLayout } from "../../layout.ts";
import type { Site, SiteKind } from "../model.ts";
import { siteNames } from "../names.ts";
import { Nginx, selfSigned } from "./nginx.ts";

// A person may combine any settings of a site: nginx accepts the file of each combination, and all files together.

const kinds: SiteKind[] = [
  ...[false, true, "detected" as const].flatMap((spa) => [
    { family: "static" as const, spa },
    { family: "static" as const, spa, assets: "build" as const },
  ]),
  { family: "php" },
  { family: "php", assets: "laravel" },
  { family: "php", assets: "symfony" },
  { family: "node", ports: [20_000, 20_001] },
];
const nodes = [1, 2].map((id) => ({ id, address: `10.0.0.${id}` }));
const fronts: SiteKind[] = [
  { family: "balanced", nodes: nodes.slice(1) },
  { family: "balanced", nodes },
];

type Choice = (paths: { certificate: string; key: string }, names: readonly string[]) => Partial<Site>;
const none: Choice = () => ({});

const markdown: readonly Choice[] = [none, () => ({ markdownNegotiation: true })];
const balancer: readonly Choice[] = [none, () => ({ balancer: { addresses: ["10.0.0.9", "2001:db8::9"] } })];
const settings: readonly (readonly Choice[])[] = [
  [none, () => ({ basicAuth: 1 })],
  [
    none,
    (paths, names) => ({ hsts: true, tls: { ...paths, names } }),
    // The others wait for their certificate.
    (paths, names) => ({ tls: { ...paths, names: names.slice(0, 1) } }),
  ],
  [none, () => ({ proxies: ["192.0.2.0/24", "2001:db8::1"], maxUploadMb: 2 })],
];
const redirects = [
  { wwwRedirect: 0, targets: [] },
  { wwwRedirect: 1, targets: ["https://elsewhere.test", "https://elsewhere.test/a?b=c"] },
  { wwwRedirect: 2, targets: ["http://elsewhere.test"] },
] as const;

/** One of each list, in every combination. */
const combinationsOf = <Item>(lists: readonly (readonly Item[])[]): Item[][] =>
  lists.reduce<Item[][]>((all, list) => all.flatMap((chosen) => list.map((item) => [...chosen, item])), [[]]);

const nginx = new Nginx();
let paths = { certificate: "", key: "" };
before(() => {
  paths = selfSigned(nginx.directory);
});
after(() => nginx.stop());

function siteOf(id: number, kind: SiteKind, { wwwRedirect, targets }: (typeof redirects)[number]): Site {
  const layout = projectLayout(id, nginx.directory);
  mkdirSync(layout.logs, { recursive: true });
  const domains = [
    ...["p", "q"].map((letter) => ({ name: `${letter}${id}.test` })),
    ...targets.map((redirectTo, at) => ({ name: `r${at}-${id}.test`, redirectTo })),
  ];
  return { layout, kind, domains, wwwRedirect, redirectStatus: 301 };
}

test("nginx accepts every combination of a site's settings", { timeout: 120_000 }, async () => {
  let count = 0;
  const sitesOf = (kind: SiteKind, choices: readonly (readonly Choice[])[]): Site[] =>
    combinationsOf(choices).map((chosen) => {
      const site = siteOf(++count, kind, redirects[count % redirects.length] ?? redirects[0]);
      return Object.assign(site, ...chosen.map((choose) => choose(paths, siteNames(site))));
    });
  const sites = [
    ...kinds.flatMap((kind) => sitesOf(kind, [...settings, markdown, balancer])),
    ...fronts.flatMap((kind) => sitesOf(kind, settings)),
  ];
  assert.ok(sites.length > 450);
  await nginx.reservePorts();
  nginx.write(sites);
  assert.doesNotMatch(nginx.test(), /\[emerg\].*/);
});
