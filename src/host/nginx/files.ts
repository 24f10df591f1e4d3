import { block } from "./block.ts";
import type { AssetLayout, Site, SiteKind } from "./model.ts";

// The files that nginx serves itself: those of the live release.

/** Files of the release, for a location. nginx follows a link that the project makes only to the project's own files. */
export const releaseFiles = ["root $release;", "disable_symlinks if_not_owner from=$release_directory;"];

/**
 * Addresses that stand for a file: what pages load, and what clients request on every server. A name such as jane.doe
 * does not match.
 */
const fileEndings = [
  "html?|xhtml|php[0-9]?|aspx?|jsp|cgi|css|[mc]?js|map|json|webmanifest|xml|txt|md|wasm",
  "png|jpe?g|gif|svg|webp|avif|bmp|ico|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|mov|pdf|csv",
  "zip|gz|br|tgz|tar|rar|7z|ya?ml|toml|ini|conf|env|sql|sqlite|bak|old|log|pem|key|crt",
].join("|");

/** A static site, with or without a single-page application. */
export const staticLocations = (site: Site, { spa, assets }: SiteKind & { family: "static" }): string[] => [
  "# Files. Names that begin with a dot are hidden.",
  "charset utf-8;",
  "gzip_static on;",
  "index index.html index.htm;",
  "error_page 404 /404.html;",
  ...block('location ~ "/\\.(?!well-known/)"', ["return 404;"]),
  ...assetLocations(site, assets, "=404"),
  ...(spa ? applicationLocations(spa) : []),
  ...block("location /", [...releaseFiles, `try_files $uri $uri.html $uri/ ${spa ? "@application" : "=404"};`]),
  // Where one error page may follow another, a missing error page must not follow itself.
  ...(site.markdownNegotiation ? block("location = /404.html", [...releaseFiles, "recursive_error_pages off;"]) : []),
];

const applicationLocations = (spa: true | "detected"): string[] => [
  "# A single-page application answers every address with its page, but not one that is meant for a file.",
  ...block(`location ~* "\\.(?:${fileEndings})$"`, [...releaseFiles, "try_files $uri $uri.html $uri/ =404;"]),
  ...block("location @application", [
    ...releaseFiles,
    ...(spa === "detected"
      ? [
          "# Not an application: the release has a page for what is not there, or several pages.",
          "if (-e $release/404.html) { return 404; }",
          "if (-e $release_directory/.longshore/pages) { return 404; }",
        ]
      : []),
    "rewrite ^ /index.html break;",
  ]),
];

// Assets ------------------------------------------------------------------------------------------------------------------

const ending = "\\.(?:css|m?js|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico|wasm|mp3|mp4|webm)";

/** Files below directories, with a name that may have a hash. */
const below = (directories: string): string => `/(?:${directories})/(?:.+/)?[^/]*[.-][A-Za-z0-9_-]{7,}${ending}`;

const addresses: Record<AssetLayout, readonly string[]> = {
  // The first ones belong to frameworks that put nothing else into a directory.
  build: [
    "/(?:_astro|_next/static|_nuxt|_app/immutable)/.+",
    below("assets|static"),
    "/[^/]+[.-][A-Za-z0-9_-]{7,}\\.(?:css|js)",
  ],
  laravel: [below("build/assets")],
  symfony: [below("assets|build")],
};

/** The number of releases that have a link in the directory `former` of a project: `1` to this. */
export const formerReleases = 5;

const places = Array.from({ length: formerReleases }, (_, at) => at + 1);

/**
 * The assets of a site, which open pages of earlier releases request as well: they are found as long as these releases are kept.
 * Links in `former` lead to what the releases served; they belong to the project, so that nginx follows them only to the
 * project's files. `otherwise`: the answer when no release has the file.
 */
export const assetLocations = (
  { layout }: Pick<Site, "layout">,
  assets: AssetLayout | undefined,
  otherwise: string,
): string[] =>
  assets === undefined
    ? []
    : [
        "# Assets of the build. Pages that visitors opened before a deployment load those of earlier releases.",
        ...block(`location ~ "^(?:${addresses[assets].join("|")})$"`, [
          ...releaseFiles,
          "set $asset_caching $longshore_asset_caching;",
          "try_files $uri @earlier_releases;",
        ]),
        ...block("location @earlier_releases", [
          `root ${layout.former};`,
          `disable_symlinks if_not_owner from=${layout.former};`,
          `try_files ${places.map((place) => `/${place}$uri`).join(" ")} ${otherwise};`,
        ]),
      ];
