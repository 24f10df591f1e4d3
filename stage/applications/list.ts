import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { waitFor } from "../api-client.ts";
import type { Application, Place } from "./application.ts";
import { withLibraries } from "./debian-php.ts";
import { ask, releaseOf, type Site, textOf, type Visit, visitPage } from "./site.ts";
import { wordpress } from "./wordpress.ts";

// Versions are pinned by the lock files in the folders. A lock file must list all platform packages of what it pins: where a registry
// lacks some of the newest version, package.json has an older one, or overrides it.

/** Notes that an application appends to a file in its shared directory "data". */
const notesAt = (path: string): Pick<Application, "settings" | "leave" | "left"> => ({
  settings: { shared_directories: ["data"] },
  leave: async (place: Place) => {
    const headers = { "Content-Type": "text/plain" };
    assert.equal((await ask(place, path, { method: "POST", body: "a note", headers })).status, 201);
  },
  left: (place: Place) => textOf(place, path),
});

/** The answer of an address that tells what the application knows of its visitor. */
async function seesVisitor(site: Site, path: string): Promise<void> {
  const { ip } = JSON.parse(await textOf(site, path)) as { ip: string };
  // This machine's address on the sandbox's bridge.
  assert.match(ip, /^(?!127\.)\d+\.\d+\.\d+\.1$/);
}

const express: Application = {
  name: "express",
  frameworkId: 8,
  pages: ["/", "/api/status"],
  ...notesAt("/notes"),
  check: (place) => seesVisitor(place, "/api/status"),
};

const fastify: Application = { ...express, name: "fastify" };
const hono: Application = { ...express, name: "hono" };
const nestjs: Application = { ...express, name: "nestjs" };

/** It has no start script: what its build made is started. */
const tanstackStart: Application = { name: "tanstack-start", frameworkId: 8, pages: ["/"], ...notesAt("/api/notes") };

/** Its start script is `ng serve`, for which the server that its build made stands in. */
const angularServer: Application = {
  name: "angular-ssr",
  frameworkId: 8,
  pages: ["/", "/users/jane.doe", "/api/status"],
  ...notesAt("/api/notes"),
  check: (place) => seesVisitor(place, "/api/status"),
};

/** Its package with a database in C++ runs node-gyp when it is installed. */
const sqlite: Application = { name: "sqlite", frameworkId: 8, pages: ["/"], ...notesAt("/notes") };

/** What a person draws in its editor is in its shared directory, and served. */
const nodeRed: Application = {
  name: "node-red",
  frameworkId: 8,
  pages: ["/"],
  settings: { shared_directories: ["data"] },
  leave: async (place) => {
    const flow = [
      { id: "tab", type: "tab", label: "Notes" },
      { id: "in", type: "http in", z: "tab", url: "/note", method: "get", wires: [["text"]] },
      { id: "text", type: "template", z: "tab", field: "payload", template: "a note", wires: [["out"]] },
      { id: "out", type: "http response", z: "tab", statusCode: "200" },
    ];
    const headers = { "Content-Type": "application/json" };
    const { status } = await ask(place, "/editor/flows", { method: "POST", headers, body: JSON.stringify(flow) });
    assert.equal(status, 204);
  },
  // A process begins its flows after it has begun to answer.
  left: (place) =>
    waitFor("the flow to be served", () => textOf(place, "/note").catch(() => false), { timeoutMs: 60_000 }),
};

const reactRouterServer: Application = {
  name: "react-router-server",
  frameworkId: 8,
  pages: ["/", "/users/jane.doe"],
  settings: { shared_directories: ["data"] },
  // React Router compares the origin of a form with its own address.
  leave: async (place) => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: `http://${place.domain}` };
    const { status, body } = await ask(place, "/?index", { method: "POST", headers, body: "note=a+note" });
    assert.equal(status, 200, body);
  },
  left: async (place) => /<pre>([^<]*)/.exec(await textOf(place, "/"))?.[1],
};

/** Its lock file is of Yarn 4, and its packages are in no node_modules. */
const yarn: Application = {
  ...express,
  name: "yarn",
  check: async (place) => {
    await seesVisitor(place, "/api/status");
    const { manager } = JSON.parse(await textOf(place, "/api/status")) as { manager: string };
    assert.match(manager, /^yarn\/4\.18\.1 /);
  },
};

/** Bun installs and runs it. */
const bun: Application = {
  ...express,
  name: "bun",
  check: async (place) => {
    await seesVisitor(place, "/api/status");
    assert.match(await textOf(place, "/api/status"), /"bun":"1\./);
  },
};

/** What a framework makes of the project's variables. */
async function seesVariables(site: Site, environment: string, greeting: string): Promise<void> {
  const status = JSON.parse(await textOf(site, "/api/status")) as { environment: string; greeting: string };
  assert.deepEqual([status.environment, status.greeting], [environment, greeting]);
}

/** A visitor's session. */
let session: string | undefined;

const laravel: Application = {
  name: "laravel",
  frameworkId: 1,
  pages: ["/", "/api/status"],
  settings: { environment_variables: `APP_KEY=base64:${Buffer.alloc(32, 7).toString("base64")}\nGREETING=ahoy` },
  base: (directory) => withLibraries("php-laravel-framework", directory),
  check: (place) => seesVariables(place, "production", "ahoy"),
  leave: async (place) => {
    await notesAt("/notes").leave?.(place);
    session = (await ask(place, "/visits")).headers["set-cookie"]?.map((cookie) => cookie.split(";")[0]).join("; ");
    assert.match(session ?? "", /^harbour_session=/);
  },
  // The session continues: a visit more is counted with each look.
  left: async (place) => {
    const visits = Number(await textOf(place, "/visits", { headers: { Cookie: session as string } }));
    return [await textOf(place, "/notes"), visits > 1];
  },
};

/** Its file .env is in the repository, as its authors want it: one variable of the project must not set that aside. */
const symfony: Application = {
  ...notesAt("/notes"),
  name: "symfony",
  frameworkId: 2,
  pages: ["/", "/api/status"],
  settings: { shared_directories: ["data"], environment_variables: "GREETING=ahoy" },
  base: (directory) => withLibraries("php-symfony", directory),
  check: async (place) => {
    await seesVisitor(place, "/api/status");
    await seesVariables(place, "prod", "ahoy");
  },
};

/** The script that a page starts with, whole. */
async function scriptOf(site: Site): Promise<string> {
  const path = /<script type="module"[^>]* src="([^"]+)"/.exec(await textOf(site, "/"))?.[1];
  assert.ok(path);
  return textOf(site, path);
}

export const viteReact: Application = {
  name: "vite-react",
  frameworkId: 9,
  pages: ["/", "/users/jane.doe"],
  settings: { environment_variables: "VITE_GREETING=hello" },
  check: async (site, release) => {
    const script = await scriptOf(site);
    assert.equal(releaseOf("the script", script), release);
    // The project's variables, and the file .env of the repository.
    assert.deepEqual([/"hello"|`hello`/.test(script), script.includes("https://api.example.test")], [true, true]);
  },
};

const astro: Application = {
  name: "astro",
  frameworkId: 9,
  pages: ["/", "/about/"],
  check: async (site, release) => {
    const { status, body } = await ask(site, "/nothing/here");
    assert.deepEqual([status, releaseOf("the page for wrong addresses", body)], [404, release]);
  },
};

const angular: Application = { name: "angular", frameworkId: 9, pages: ["/", "/users/jane.doe"] };

const vue: Application = { ...angular, name: "vue" };
const reactRouter: Application = { ...angular, name: "react-router" };

const docusaurus: Application = { ...astro, name: "docusaurus", pages: ["/", "/guide/"] };

const eleventy: Application = {
  name: "eleventy",
  frameworkId: 9,
  pages: ["/", "/about/"],
  check: async (site) => {
    assert.equal((await ask(site, "/nothing/here")).status, 404);
    assert.match(await textOf(site, "/"), /Grüße/);
  },
};

const vitepress: Application = { name: "vitepress", frameworkId: 9, pages: ["/", "/guide"] };

const sveltekit: Application = {
  name: "sveltekit",
  frameworkId: 7,
  pages: ["/"],
  settings: { shared_directories: ["data"] },
  check: async (site) => assert.match(await textOf(site, "/"), /from (?!127\.)\d+\.\d+\.\d+\.1</),
  // A form: SvelteKit compares its origin with its own address.
  leave: async (place) => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: `http://${place.domain}` };
    const { status, body } = await ask(place, "/", { method: "POST", headers, body: "note=a+note" });
    assert.equal(status, 200, body);
  },
  left: async (place) => /<pre>([^<]*)/.exec(await textOf(place, "/"))?.[1],
};

/** A body of a MB that comes in over three seconds; the answer has its hash. */
const upload: Visit = async (site, agent) => {
  const parts = Array.from({ length: 20 }, () => randomBytes(50_000));
  const slowly = async function* () {
    for (const part of parts) {
      yield part;
      await pause(150);
    }
  };
  const headers = { "Content-Length": "1000000" };
  const body = await textOf(site, "/upload", { method: "POST", headers, body: Readable.from(slowly()), agent });
  const expected = createHash("sha256").update(Buffer.concat(parts)).digest("hex");
  assert.equal((JSON.parse(body) as { sha256: string }).sha256, expected, body);
};

const stream: Visit = async (site, agent) => {
  const body = await textOf(site, "/stream", { agent });
  releaseOf("/stream", body);
  assert.deepEqual([body.split("\n").length, body.endsWith("end\n")], [22, true], body);
};

const edge: Application = {
  name: "edge",
  frameworkId: 8,
  pages: ["/"],
  visits: [upload, stream, (site, agent) => visitPage(site, "/slow", { agent })],
};

/** Uploads and answers that are under way when its files are exchanged end with the release that they began with. */
const php: Application = {
  name: "php",
  frameworkId: 4,
  pages: ["/", "/api/status"],
  settings: { shared_directories: ["data"], environment_variables: "GREETING=ahoy" },
  check: async (place) => {
    await seesVisitor(place, "/api/status");
    assert.match(await textOf(place, "/api/status"), /"greeting":"ahoy"/);
  },
  visits: [upload, (site, agent) => visitPage(site, "/slow", { agent })],
  leave: notesAt("/notes").leave,
  left: notesAt("/notes").left,
};

const monorepo: Application = {
  name: "monorepo",
  frameworkId: 8,
  pages: ["/"],
  settings: { custom_commands: { directory: "apps/web" } },
  // As its lock file has it, although package.json allows later ones.
  check: async (site) => assert.match(await textOf(site, "/"), /express 5\.0\.0</),
};

const next: Application = { name: "next", frameworkId: 5, pages: ["/", "/about"], ...notesAt("/api/notes") };

const nuxt: Application = {
  name: "nuxt",
  frameworkId: 6,
  pages: ["/", "/api/status"],
  ...notesAt("/api/notes"),
  check: (place) => seesVisitor(place, "/api/status"),
};

/** Those that have a file of tests each. */
export const applications = {
  fastify,
  hono,
  nestjs,
  yarn,
  bun,
  tanstackStart,
  angularServer,
  reactRouterServer,
  sqlite,
  nodeRed,
  laravel,
  symfony,
  php,
  angular,
  vue,
  reactRouter,
  docusaurus,
  eleventy,
  vitepress,
  monorepo,
  next,
  nuxt,
} as const satisfies Record<string, Application>;

/** The six that every run of the tests has, one for each way in which applications are served. */
export const chosen: readonly Application[] = [express, viteReact, astro, sveltekit, wordpress, edge];
