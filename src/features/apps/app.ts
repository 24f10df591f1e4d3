import type { SecretFiles } from "../../engine/bundle.ts";
import type { Step } from "../../engine/plan.ts";
import type { SqlEngine } from "../../host/databases/engine.ts";
import type { ProjectLayout } from "../../host/layout.ts";

/** Something that a server downloads: it is used only when its checksum matches. */
export interface Artifact {
  /** Its name at the origin and in the mirror. */
  file: string;
  url: string;
  /** In hexadecimal; undefined: it comes from a mirror whose checksums are switched off. */
  checksum: { algorithm: "sha256" | "sha512"; value: string } | undefined;
}

export interface AppVersion {
  version: string;
  archive: Artifact;
  /** Megabytes that a copy takes on the server, unpacked. */
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
  /** What is wrong with an answer, as a sentence. */
  check?: (answer: string) => string | undefined;
}

/** Answers by input, and what was generated besides: everything about an installation that is confidential. */
export type Answers = Record<string, string>;

export interface AppDatabase {
  engine: SqlEngine;
  name: string;
  username: string;
}

/** One installation as its steps see it. No secrets: those travel as files. */
export interface AppWork {
  layout: ProjectLayout;
  /** Number of the release that is made. */
  release: number;
  version: AppVersion;
  tools: readonly Artifact[];
  /** The primary domain. */
  domain: string;
  /** Answers that are no passwords. */
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

/** What is asked of the application through nginx when it is in place. */
export interface AppCheck {
  path: string;
  /** A text that the page contains. */
  contains: string;
}

/** An installation that has come to another server, where its files and its database are already. */
export type AppMove = Omit<AppWork, "version" | "tools">;

export interface AppUpdate extends AppWork {
  /** The release that serves, and its version. */
  from: { release: number; version: string };
}

/** An application of the catalog. A folder of `catalog` exports one. */
export interface App {
  slug: string;
  name: string;
  category: string;
  summary: string;
  /** How its files lie in the project's directory, for people. */
  layout: string;
  /** Decides the runtime (projects/frameworks.ts). */
  frameworkId: number;
  /** Engines of which the server needs one; empty: none. */
  engines: readonly SqlEngine[];
  /** Whether it gets a database of its own. */
  needsDatabase: boolean;
  /** Whether it is configured before it is installed. */
  hasSettings: boolean;
  inputs: readonly AppInput[];
  /** The newest first. */
  versions: readonly AppVersion[];
  /** What else is downloaded to install and to update it. */
  tools: readonly Artifact[];
  /** File that a mirror serves of a version, with a URL below the mirror. */
  origin: (version: string, file: string) => string;
  /** Input whose answer is the user whom the site asks for a password, and the input with that password. */
  basicAuth?: { username: string; password: string };
  /** Memory of one request, such as `512M`; default: that of the server's PHP. */
  maxMemory?: string;
  /** The largest request body; default: 100 MB. */
  maxUploadMb?: number;
  /** What a process of it is asked for before it counts as serving; default: the front page. */
  healthPath?: string;
  /** Whether an update leaves out no major version. */
  isUpdatedStepwise?: boolean;
  checks: readonly AppCheck[];
  /** What is generated besides the answers, once for an installation. */
  generate: () => Answers;
  /** Files of runs, by name. Each is masked wherever it is printed. */
  secrets: (input: AppSecretsInput) => SecretFiles;
  /** Cron lines that it needs. */
  jobs: (work: Pick<AppWork, "layout" | "tools">) => readonly { name: string; expression: string; command: string }[];
  install: {
    unpack: (work: AppWork) => Step[];
    configure: (work: AppWork) => Step[];
    install: (work: AppWork) => Step[];
  };
  /** Steps that make a release from the one that serves, and those after it serves, with their undo; undefined: it cannot be updated. */
  update: AppUpdater | undefined;
  /**
   * Steps on the server that it was moved to, before it serves there: they adjust settings that name the former one, and check
   * what a look at its pages would not tell. Visitors wait meanwhile. Paths, names of databases and passwords are as before, ports
   * are not; undefined: nothing is to be done.
   */
  moved?: (work: AppMove) => Step[];
  /**
   * Whether its process reads its address when it starts, so that another one has to take its place when the site has another
   * address; default: it answers with the address of the request, or reads it again and again.
   */
  keepsAddress?: boolean;
  details: (input: { origin: string; answers: Answers }) => AppDetails;
}

export interface AppUpdater {
  prepare: (work: AppUpdate) => Step[];
  upgrade: (work: AppUpdate) => Step[];
  /** Clears up when the new release serves for good; a failure there is none of the update. */
  finish?: (work: AppUpdate) => Step[];
}

export interface AppDetails {
  adminUrl: string;
  credentials: Record<string, { label: string; value: string; secret: boolean }>;
}
