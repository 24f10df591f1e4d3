import { versionFileNames } from "../../../host/node/choose-node.ts";

/** A bounded view of a repository: paths of its upper directories, and the contents of a few relevant files. */
export interface RepositoryFiles {
  paths: readonly string[];
  /** By path. Without lock files, which are long, and whose names are enough. */
  contents: Readonly<Record<string, string>>;
}

export const mostPaths = 3_000;
export const mostFiles = 60;
export const largestFileBytes = 200_000;

/** Names of files whose content is read, as patterns of bash. */
export const readNames = [
  ...versionFileNames,
  "composer.json",
  "angular.json",
  "Procfile",
  ".php-version",
  ".bun-version",
  ".yarnrc.yml",
  "pnpm-workspace.yaml",
  "next.config.*",
  "nuxt.config.*",
  "svelte.config.*",
  "astro.config.*",
  "vite.config.*",
  "react-router.config.*",
  "app.config.*",
  "nitro.config.*",
  ".htaccess",
] as const;

/** Paths of further files that are read, as patterns, too. */
export const readPaths = [
  "bootstrap/app.php",
  "prisma/schema.prisma",
  ".gitignore",
  ".env.example",
  "index.html",
  "requirements.txt",
  "pyproject.toml",
  "Pipfile",
  "Gemfile",
  "routes/console.php",
  "app/Console/Kernel.php",
  "scripts/start.*",
  "scripts/serve.*",
  "scripts/dev.*",
] as const;

/** Whether a path is one of the upper directories, with a name that a line can hold, and not one of what others wrote. */
export const isShownPath = (path: string): boolean =>
  /^(?:[A-Za-z0-9@._+ -]+\/){0,3}[A-Za-z0-9@._+ -]+$/.test(path) &&
  !/(?:^|\/)(?:node_modules|vendor|\.git)(?:\/|$)/.test(path);

const matching = (pattern: string): RegExp => new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`);

const [wantedNames, wantedPaths] = [readNames.map(matching), readPaths.map(matching)];

/** Whether the content of the file is read. */
export const isWanted = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return wantedNames.some((each) => each.test(name)) || wantedPaths.some((each) => each.test(path));
};

/** The same from a directory: what lies below it, with paths relative to it. */
export function below({ paths, contents }: RepositoryFiles, directory: string): RepositoryFiles {
  if (directory === "") return { paths, contents };
  const inside = (path: string) => (path.startsWith(`${directory}/`) ? [path.slice(directory.length + 1)] : []);
  return {
    paths: paths.flatMap(inside),
    contents: Object.fromEntries(
      Object.entries(contents).flatMap(([path, text]) => inside(path).map((each) => [each, text])),
    ),
  };
}
