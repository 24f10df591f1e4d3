import type { RepositoryFiles } from "./files.ts";

// What a repository has that is neither PHP, nor Node.js, nor the files of a site: named, with what its owner can do.

interface Other {
  /** The file that shows it. */
  mark: RegExp;
  /** Further conditions. */
  fits?: (files: RepositoryFiles) => boolean;
  label: string | ((files: RepositoryFiles) => string);
  runs: string;
}

const anywhere = ({ contents }: RepositoryFiles, word: RegExp): boolean =>
  ["requirements.txt", "pyproject.toml", "Pipfile", "Gemfile"].some((name) => word.test(contents[name] ?? ""));

const pythonFramework = (files: RepositoryFiles): string => {
  const named = ["Django", "FastAPI", "Flask", "Starlette", "Streamlit"].find((name) =>
    anywhere(files, new RegExp(`^[\\s"']*${name}\\b`, "im")),
  );
  return named === undefined ? "a Python application" : `a Python application with ${named}`;
};

/** Applications that a package.json beside them only helps. */
const applications: readonly Other[] = [
  { mark: /^manage\.py$/, label: "a Python application with Django", runs: "Python" },
  {
    mark: /^(?:app|main|wsgi|asgi|application|server|run)\.py$/,
    fits: ({ paths }) => paths.some((path) => pythonProject.test(path)),
    label: pythonFramework,
    runs: "Python",
  },
  { mark: /^(?:bin\/rails|config\/application\.rb)$/, label: "a Ruby on Rails application", runs: "Ruby" },
  { mark: /^config\.ru$/, label: "a Ruby application", runs: "Ruby" },
  {
    mark: /^go\.mod$/,
    fits: ({ paths }) => paths.some((path) => /^(?:main\.go|cmd\/(?:[\w.-]+\/)?main\.go)$/.test(path)),
    label: "a Go application",
    runs: "Go",
  },
  { mark: /^mix\.exs$/, label: "an Elixir application", runs: "Elixir" },
  { mark: /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/, label: "a Java application", runs: "Java" },
  { mark: /^[\w. -]+\.(?:sln|slnx|csproj|fsproj)$/, label: "a .NET application", runs: ".NET" },
];

const pythonProject = /^(?:requirements(?:[-_.\w]*)?\.txt|pyproject\.toml|Pipfile|setup\.py|uv\.lock|poetry\.lock)$/;

/** The same, where nothing else is found. */
const others: readonly Other[] = [
  { mark: pythonProject, label: pythonFramework, runs: "Python" },
  { mark: /^deno\.(?:jsonc?|lock)$/, label: "a Deno application", runs: "Deno" },
  { mark: /^Gemfile$/, label: "a Ruby application", runs: "Ruby" },
  { mark: /^go\.mod$/, label: "Go", runs: "Go" },
  { mark: /^Cargo\.toml$/, label: "a Rust application", runs: "Rust" },
  { mark: /^pubspec\.yaml$/, label: "a Dart or Flutter application", runs: "Dart" },
  { mark: /^Package\.swift$/, label: "a Swift application", runs: "Swift" },
];

const images: readonly [RegExp, string][] = [
  [/^(?:Dockerfile|Containerfile)(?:\.[\w-]+)?$/, "images are not built or run"],
  [/^(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/, "the containers of Compose are not run"],
];

/** Site generators that Longshore does not run, with the directory that they write. */
const generators: readonly {
  mark: RegExp;
  fits: (files: RepositoryFiles) => boolean;
  label: string;
  writes: string;
  also?: string;
}[] = [
  {
    mark: /^(?:hugo\.(?:toml|ya?ml|json)|config\.(?:toml|ya?ml|json)|config\/_default\/.+)$/,
    fits: ({ paths }) =>
      paths.some((path) => /^hugo\./.test(path)) ||
      (paths.some((path) => path.startsWith("content/")) &&
        paths.some((path) => /^(?:archetypes|layouts|themes)\//.test(path))),
    label: "Hugo",
    writes: "public",
    also: " Or add a package.json with hugo-extended from npm and the build script hugo --minify: then it is a static site with a build.",
  },
  {
    mark: /^_config\.(?:ya?ml|toml)$/,
    fits: ({ paths, contents }) =>
      /jekyll|github-pages/i.test(contents.Gemfile ?? "") ||
      isTemplate(contents["index.html"]) ||
      paths.some(
        (path) => /^(?:_layouts|_includes|_posts|_sass)\//.test(path) || /^index\.(?:md|markdown)$/.test(path),
      ),
    label: "Jekyll",
    writes: "_site",
  },
  { mark: /^mkdocs\.ya?ml$/, fits: () => true, label: "MkDocs", writes: "site" },
  {
    mark: /^config\.toml$/,
    fits: ({ paths }) =>
      paths.some((path) => path.startsWith("content/")) && paths.some((path) => path.startsWith("templates/")),
    label: "Zola",
    writes: "public",
  },
  { mark: /^book\.toml$/, fits: () => true, label: "mdBook", writes: "book" },
  {
    mark: /^(?:docs\/|doc\/)?(?:source\/)?conf\.py$/,
    fits: ({ paths }) => paths.some((path) => /(?:^|\/)index\.rst$/.test(path)),
    label: "Sphinx",
    writes: "_build/html",
  },
];

// The front matter of a generator's page.
const isTemplate = (text = ""): boolean => /^\uFEFF?---\s*\n/.test(text);

/** Whether the repository is an application in a language that is not run, whatever package.json has for it. */
export const isElsewhere = (files: RepositoryFiles): boolean =>
  applications.some((other) => markOf(other, files) !== undefined);

/** A sentence about the generator of the site. */
export function generatorNotes(files: RepositoryFiles): string[] {
  for (const { mark, fits, label, writes, also = "" } of generators) {
    const file = files.paths.find((path) => mark.test(path));
    if (file === undefined || !fits(files)) continue;
    return [
      `This is a site for ${label} (${file}), which is not run here. Build it elsewhere, for instance in CI, commit the directory ${writes} to a branch, and deploy that as static files with the output directory ${writes}.${also}`,
    ];
  }
  return isTemplate(files.contents["index.html"])
    ? [
        "The index.html begins with settings of a site generator (---), so it is a template and no page. Build the site elsewhere, and deploy the directory with the result as static files.",
      ]
    : [];
}

const markOf = ({ mark, fits }: Other, files: RepositoryFiles): string | undefined =>
  fits === undefined || fits(files) ? files.paths.find((path) => mark.test(path)) : undefined;

/** Sentences about what there is instead of an application that can be deployed. */
export function unsupportedNotes(files: RepositoryFiles): string[] {
  const notes = generatorNotes(files);
  if (notes.length > 0) return notes;
  for (const other of [...applications, ...others]) {
    const mark = markOf(other, files);
    if (mark === undefined) continue;
    const label = typeof other.label === "string" ? other.label : other.label(files);
    return [`There is ${label} (${mark}), and ${other.runs} is not run: ${partsOnly}`];
  }
  return images.flatMap(([mark, what]) => {
    const file = files.paths.find((path) => mark.test(path));
    return file === undefined
      ? []
      : [
          `There is a ${file}, and ${what}: choose the framework of the application in it, if that is PHP, Node.js or a site of files.`,
        ];
  });
}

const partsOnly =
  "projects are PHP, Node.js or the files of a site. If a part of the repository is that, name its directory and choose its framework.";
