/**
 * Where a framework's build puts files whose names carry a hash of their content: the results of a bundler for a static site
 * (`build`), or those of Laravel's or Symfony's frontend.
 */
export type AssetLayout = "build" | "laravel" | "symfony";

// Frameworks that put nothing else into a directory.
const hashedDirectories = "_astro|_next/static|_nuxt|_app/immutable";

const ending = "\\.(?:css|m?js|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico|wasm|mp3|mp4|webm)";

/** Files below directories, with a name that may have a hash. */
const below = (directories: string): string => `/(?:${directories})/(?:.+/)?[^/]*[.-][A-Za-z0-9_-]{7,}${ending}`;

const addresses: Record<AssetLayout, readonly string[]> = {
  build: [`/(?:${hashedDirectories})/.+`, below("assets|static"), "/[^/]+[.-][A-Za-z0-9_-]{7,}\\.(?:css|js)"],
  laravel: [below("build/assets")],
  symfony: [below("assets|build")],
};

/** How many releases have a place in the directory `former` of a project: `1` to this. */
export const formerReleases = 5;

/**
 * The assets of a site, which open pages of earlier releases ask for as well: they are found as long as these are kept. Links in
 * `former` lead to what the releases served; they belong to the project, so that nginx follows them to the project's files alone.
 * `otherwise`: the answer to what no release has.
 */
export const assetLocations = (layout: AssetLayout | undefined, otherwise: string): string[] =>
  layout === undefined
    ? []
    : [
        `location ~ "^(?!.*/\\.)(?<longshore_asset>${addresses[layout].join("|")})$" {`,
        "    try_files $uri @former;",
        "}",
        "location @former {",
        "    root $project/former;",
        "    disable_symlinks if_not_owner from=$project/former;",
        `    try_files ${places.map((place) => `/${place}$uri`).join(" ")} ${otherwise};`,
        "}",
      ];

const places = Array.from({ length: formerReleases }, (_, at) => at + 1);

/**
 * The Cache-Control of files, at the level of `http`. A name proves its hash by letters and digits as in no word or date: eight
 * and more of a hexadecimal number, seven or eight of both cases, or Angular's.
 */
export const assetCaching = `# Assets whose name carries a hash of their content never change. Pages are asked for again, so that they name those that exist.
split_clients '' $longshore_asset { * ''; }
map $longshore_asset $longshore_hashed {
    "~^/(?:${hashedDirectories})/(?!builds/)" 'public, max-age=31536000, immutable';
    "~[.-](?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,40}\\.[a-z0-9]+$" 'public, max-age=31536000, immutable';
    "~-(?=[^.]*[a-z])(?=[^.]*[A-Z])(?=.[^.]*[A-Z0-9])[A-Za-z0-9_-]{7,8}\\.[a-z0-9]+$" 'public, max-age=31536000, immutable';
    "~^/[^/]+-[A-Z0-9]{8}\\.(?:css|js)$" 'public, max-age=31536000, immutable';
    default $longshore_page_caching;
}
map "$longshore_fresh$upstream_http_content_type:$sent_http_content_type" $longshore_page_caching {
    "~^:text/(?:html|markdown)" no-cache;
    default '';
}`;
