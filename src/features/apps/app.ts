import type { SecretFiles } from "../../engine/runs/bundle.ts";
import type { Step } from "../../engine/runs/plan.ts";
import type { SqlEngine } from "../../host/databases/engine.ts";
import type { ProjectLayout } from "../../host/layout.ts";
import type { ProjectSettings } from "../projects/settings/schema.ts";
import type { SiteSettings } from "../site-records/schema.ts";

/** A file that a server downloads and uses only if its checksum matches. */
export interface Artifact {
  /** The name at the origin and in the mirror. */
  file: string;
  url: string;
  /** In hexadecimal; undefined: from a mirror with checksums switched off. */
  checksum: { algorithm: "sha256" | "sha512"; value: string } | undefined;
}

export interface AppVersion {
  version: string;
  archive: Artifact;
  /** Megabytes of an unpacked copy on the server. */
  sizeMb: number;
  /** The oldest PHP or Node it runs with, such as `7.4`. */
  runtime: string;
  isSecurity?: boolean;
}

/** One question of the installation form. */
export interface AppInput {
  key: string;
  label: string;
  type: "text" | "email" | "password";
  required: boolean;
  /** An empty answer is generated. */
  generated: boolean;
  /** The answer when none is given. */
  fallback?: (asked: { name: string; email: string }) => string;
  /** The error of an answer, as a sentence. */
  check?: (answer: string) => string | undefined;
}

/** Answers by input, and generated values: everything confidential about an installation. */
export type Answers = Record<string, string>;

export interface AppDatabase {
  engine: SqlEngine;
  name: string;
  username: string;
}

/** The input of an installation's steps. No secrets: they are sent as files. */
export interface AppWork {
  layout: ProjectLayout;
  /** Number of the new release. */
  release: number;
  version: AppVersion;
  tools: readonly Artifact[];
  /** The primary domain. */
  domain: string;
  /** Answers that are not passwords. */
  texts: Answers;
  database: AppDatabase | undefined;
  ports: readonly [number, number] | undefined;
}

/** What the secrets of a run are made from. */
export interface AppSecretsInput {
  name: string;
  domain: string;
  answers: Answers;
  database: (AppDatabase & { password: string }) | undefined;
  layout: ProjectLayout;
}

/** A request to the application through nginx once it is in place. */
export interface AppCheck {
  path: string;
  /** A text that the page contains. */
  contains: string;
}

/** An installation that was moved to another server, which has its files and its database already. */
export type AppMove = Omit<AppWork, "version" | "tools">;

export interface AppUpdate extends AppWork {
  /** The live release, and its version. */
  from: { release: number; version: string };
}

/** An application of the catalog. A folder of `catalog` exports one. */
export interface App {
  slug: string;
  name: string;
  category: string;
  summary: string;
  /** The layout of its files in the project's directory, for people. */
  layout: string;
  /** Decides the runtime (projects/frameworks.ts). */
  frameworkId: number;
  /** The server needs one of these engines; empty: none. */
  engines: readonly SqlEngine[];
  /** Whether it gets a database of its own. */
  needsDatabase: boolean;
  /** Whether it is configured before it is installed. */
  hasSettings: boolean;
  inputs: readonly AppInput[];
  /** The newest first. */
  versions: readonly AppVersion[];
  /** Further downloads for installations and updates. */
  tools: readonly Artifact[];
  /** Input whose answer is the user whom the site asks for a password, and the input with that password. */
  basicAuth?: { username: string; password: string };
  /** Settings of its project and its site, besides the initial ones. */
  settings?: Partial<ProjectSettings>;
  siteSettings?: Partial<SiteSettings>;
  /** Whether an update must not skip a major version. */
  isUpdatedStepwise?: boolean;
  checks: readonly AppCheck[];
  /** Generates further secrets, once for each installation. */
  generate: () => Answers;
  /** Secret files of runs, by name. Their contents are masked in all output. */
  secrets: (input: AppSecretsInput) => SecretFiles;
  /** Its cron lines. */
  jobs: (work: Pick<AppWork, "layout" | "tools">) => readonly { name: string; expression: string; command: string }[];
  install: {
    unpack: (work: AppWork) => Step[];
    configure: (work: AppWork) => Step[];
    install: (work: AppWork) => Step[];
  };
  /**
   * Steps that make a release from the live one, and the steps after the new one is live, with undo; undefined: it cannot be
   * updated.
   */
  update: AppUpdater | undefined;
  /**
   * Steps on the destination of a move, before it serves there: they adjust settings that name the source, and check what its
   * pages do not show. Visitors wait for them. Paths, database names and passwords are unchanged; ports are not. Undefined: no
   * steps.
   */
  moved?: (work: AppMove) => Step[];
  /**
   * Whether its process reads its address only at start, and has to be replaced when the site's address changes; default: it uses
   * the address of the request, or reads it repeatedly.
   */
  keepsAddress?: boolean;
  details: (input: { origin: string; answers: Answers }) => AppDetails;
}

export interface AppUpdater {
  prepare: (work: AppUpdate) => Step[];
  upgrade: (work: AppUpdate) => Step[];
  /** Cleans up once the new release stays live; a failure there does not fail the update. */
  finish?: (work: AppUpdate) => Step[];
}

export interface AppDetails {
  adminUrl: string;
  credentials: Record<string, { label: string; value: string; secret: boolean }>;
}
