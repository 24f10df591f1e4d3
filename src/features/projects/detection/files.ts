/** A bounded view of a repository: paths of its upper directories, and the contents of a few relevant files. */
export interface RepositoryFiles {
  paths: readonly string[];
  /** By path. Without lock files, which are long, and whose names are enough. */
  contents: Readonly<Record<string, string>>;
}

/** Names of files whose content is read, as patterns of bash. */
export const readNames = [
  "package.json",
  "composer.json",
  "angular.json",
  "Procfile",
  ".nvmrc",
  ".node-version",
  ".tool-versions",
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
  ".htaccess",
] as const;

/** Paths of further files that are read. */
export const readPaths = ["bootstrap/app.php", "prisma/schema.prisma", ".gitignore", ".env.example"] as const;

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
