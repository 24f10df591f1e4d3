import type { Found } from "./found.ts";

export interface Application {
  frameworkId: number;
  reason: string;
  outputDirectory?: string;
  buildCommand?: string;
  startCommand?: string;
  /** Why this start command; default: the same reason. */
  startReason?: string;
  /** What is left to the user. */
  notes?: readonly string[];
}

/** Something that is recognized, and cannot be deployed as it is: why, and what to do. */
export interface Refusal {
  frameworkId?: undefined;
  notes: readonly string[];
}

/** One kind of application: how it is recognized, and its settings. The first match wins. */
export interface Kind {
  fits: (found: Found) => boolean;
  is: (found: Found) => Application | Refusal;
}

export const npmPackage = (name: string) => (found: Found) => found.depends(name);

export const isServer = ({ started }: Found): boolean => started.kind === "server";

// A static site by the package that builds it, and that package's output directory.
export const builder = (name: string, label: string, outputDirectory: string): Kind => ({
  fits: npmPackage(name),
  is: () => ({ frameworkId: 9, reason: `package.json has ${name}: ${label} builds a site of files.`, outputDirectory }),
});

export const server = (name: string, label: string): Kind => ({
  fits: npmPackage(name),
  is: (found) => ({
    frameworkId: 8,
    reason: `package.json has ${name}: ${label} is a server.`,
    ...withoutWatching(found),
  }),
});

/** The start command, where the script also starts, or only starts, what is for development. */
export function withoutWatching({
  started,
  script,
}: Found): Pick<Application, "startCommand" | "startReason" | "notes"> {
  if (started.kind === "nothing" || started.program === undefined) return {};
  const own = productionScripts.find((name) => script(name) !== "");
  const startCommand = own === undefined && started.kind === "server" ? started.command : own && `npm run ${own}`;
  const development = `The start script runs ${started.program}, which is for development.`;
  if (startCommand !== undefined) return { startCommand, startReason: development };
  // Deployments replace these (deployments/steps/start.ts).
  if (/^(?:ng|nest) /.test(started.program)) return {};
  return {
    notes: [`${development} Name the command of the server alone as the start command.`],
  };
}

const productionScripts = ["start:prod", "start:production", "start-prod", "production", "prod", "serve:prod"];

export const setting = (name: string, value: string): RegExp => new RegExp(`\\b${name}\\s*:\\s*["'\`]?${value}\\b`);

/** The value of a setting that is a word in quotes. */
const valueIn = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name}\\s*:\\s*["'\`]([\\w./@-]{1,100})["'\`]`).exec(text)?.[1];

/** The same for a directory below the application's. */
export const directoryIn = (text: string, name: string): string | undefined =>
  valueIn(text, name)?.replace(/^\.\/|\/$/g, "") || undefined;

/** Why a package that is not for servers cannot be deployed. */
export const refusal = (name: string, note: string): Kind => ({
  fits: npmPackage(name),
  is: () => ({ notes: [note] }),
});
