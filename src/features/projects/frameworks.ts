import type { AssetLayout } from "../../host/nginx/model.ts";

/** A framework as the API lists it, with the data that plans need. */
export interface Framework {
  id: number;
  name: string;
  label: string;
  runtimeFamily: "php" | "node" | "static";
  /**
   * The default commands. For a default `install` or `build` the deployment uses npm, pnpm or yarn (and Composer) by the lock
   * file, and reuses installed packages; a command of the user runs unchanged.
   */
  defaults: { install: string; build: string; dev: string; directory: string };
  /** The served directory, as shown to people; empty: the working directory itself. */
  publicDirectory: string;
  /** Candidates for that directory, relative to the working directory: the first that exists. */
  publicCandidates: readonly string[];
  /** Whether unknown addresses may belong to a single-page application. */
  spa: boolean;
  /** Variables of its processes, which the project's own override. */
  variables?: Readonly<Record<string, string>>;
  /** Assets whose names contain a hash of the content. */
  assets?: AssetLayout;
  /** Paths that the application itself creates, and that therefore outlive releases by default. */
  keeps?: KeptPaths;
}

/** Paths relative to the working directory. */
export interface KeptPaths {
  directories: readonly string[];
  files: readonly string[];
}

const composer = "composer install --no-dev --no-interaction --prefer-dist --optimize-autoloader";
const npm = { install: "npm ci", build: "npm run build", directory: "" };

const php = (id: number, label: string, build: string, candidates: readonly string[]): Framework => ({
  id,
  name: `fw_${id}`,
  label,
  runtimeFamily: "php",
  defaults: { install: composer, build, dev: "", directory: "" },
  publicDirectory: candidates[0] === "." ? "" : (candidates[0] as string),
  publicCandidates: candidates,
  spa: false,
});

const node = (id: number, label: string, dev: string): Framework => ({
  id,
  name: `fw_${id}`,
  label,
  runtimeFamily: "node",
  defaults: { ...npm, dev },
  publicDirectory: "",
  publicCandidates: [],
  spa: false,
});

const serverBuild = "if [ -e build/index.js ]; then exec node build/index.js; else exec node dist/server/entry.mjs; fi";

// `public` last: for most tools it is a source of the build, not its result.
const builds = [
  "dist",
  "build",
  "out",
  "_site",
  ".output/public",
  "dist/client",
  "build/client",
  "dist/*/browser",
  ".vitepress/dist",
  "docs/.vitepress/dist",
  "storybook-static",
  "www",
  "public",
];

// Without these SvelteKit's adapter-node trusts no proxy header. nginx always sets them itself.
const proxyHeaders = {
  ADDRESS_HEADER: "x-real-ip",
  PROTOCOL_HEADER: "x-forwarded-proto",
  HOST_HEADER: "x-forwarded-host",
};

/** The ten frameworks, by id from 1. */
export const frameworks: readonly Framework[] = [
  {
    ...php(1, "Laravel", npm.build, ["public"]),
    keeps: { directories: ["storage"], files: [] },
    assets: "laravel",
  },
  { ...php(2, "Symfony", npm.build, ["public"]), assets: "symfony" },
  {
    ...php(3, "WordPress (from git)", "", ["."]),
    keeps: { directories: ["wp-content/uploads"], files: ["wp-config.php"] },
  },
  php(4, "PHP", "", ["public", "public_html", "web", "htdocs", "."]),
  node(5, "Next.js", "npm start"),
  node(6, "Nuxt", "node .output/server/index.mjs"),
  { ...node(7, "SvelteKit / Astro (server)", serverBuild), variables: proxyHeaders },
  node(8, "Node.js", "npm start"),
  {
    id: 9,
    name: "fw_9",
    label: "Static site with a build",
    runtimeFamily: "static",
    defaults: { ...npm, dev: "" },
    publicDirectory: "dist",
    publicCandidates: builds,
    spa: true,
    assets: "build",
  },
  {
    id: 10,
    name: "fw_10",
    label: "Static files",
    runtimeFamily: "static",
    defaults: { install: "", build: "", dev: "", directory: "" },
    publicDirectory: "",
    publicCandidates: ["."],
    spa: false,
  },
];

export const findFramework = (id: number): Framework | undefined => frameworks.find((each) => each.id === id);
