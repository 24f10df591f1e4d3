import { handBackUnsent } from "./balancer.ts";
import { block } from "./block.ts";
import { releaseFiles } from "./files.ts";
import type { Site } from "./model.ts";
import { alwaysAnswered, releaseCheckPath } from "./well-known.ts";

// Whether a site is served, what visitors get otherwise, and what only the server itself can request from it.

/**
 * The release that answers the request. It must be one of the project's own: when the project's code makes a link that points
 * elsewhere, the target is not served, and without a release nothing is served (an empty root would be the server's own /).
 */
export function pinRelease({ layout, kind }: Site): string[] {
  const link = kind.family === "php" ? "$link" : "current";
  const root = `${layout.directory}/${link}${kind.family === "node" ? "" : "/.longshore/public"}`;
  return [
    "# The release that is live, looked up once for a request. Nothing but the project's own releases is served.",
    ...(kind.family === "php"
      ? [
          "# A deployment asks, with a pass that is a file while it asks, what its release answers before it is live.",
          "set $link current;",
          `if (-f ${layout.state}/candidate-$longshore_candidate_pass) { set $link $longshore_candidate_link; }`,
        ]
      : []),
    `root ${root};`,
    "set $release /nonexistent;",
    'set $unavailable "no release";',
    ...block(`if ($longshore_live_release ~ "^(${layout.releases}/[^/]+)")`, [
      "set $release_directory $1;",
      "set $release $longshore_live_release;",
      'set $unavailable "";',
    ]),
  ];
}

/** Shows visitors another page during maintenance and before the first release. Must come after `pinRelease`. */
export const stopWhenUnavailable = ({ layout, kind }: Site): string[] => [
  "# Maintenance. Certificate authorities and the release check are answered nevertheless.",
  ...(kind.family === "balanced" ? ['set $unavailable "";'] : []),
  `if (-e ${layout.maintenanceFlag}) { set $unavailable "$unavailable maintenance"; }`,
  ...(kind.family === "php"
    ? [
        "# So is a deployment with its pass.",
        `if (-f ${layout.state}/candidate-$longshore_candidate_pass) { set $unavailable ""; }`,
      ]
    : []),
  `if ($uri ~ "^${alwaysAnswered}") { set $unavailable ""; }`,
  "if ($unavailable) { return 503; }",
  "error_page 503 @unavailable;",
  ...block("location @unavailable", [
    ...ownPage,
    "set $retry_after 120;",
    ...(kind.family === "balanced"
      ? []
      : ['if ($unavailable ~ "^no release") { return 503 $longshore_no_release_page; }']),
    "return 503 $longshore_unavailable_page;",
  ]),
];

/** Of a location that returns one of Longshore's pages: HTML, regardless of the ending of the address. */
export const ownPage = ["types { }", "default_type text/html;", "set $own_page_caching no-store;"];

/** The page for when nginx cannot reach the application: the release's own 50x.html, or Longshore's. */
export function unreachablePages({ kind, balancer }: Site): string[] {
  const family = kind.family;
  if (family === "static") return [];
  const longshorePage = [...ownPage, "return 502 $longshore_unavailable_page;"];
  if (family === "balanced")
    return ["# No node answers.", "error_page 502 504 @unreachable;", ...block("location @unreachable", longshorePage)];
  const files =
    family === "node" ? releaseFiles.map((line) => line.replace("$release;", "$release/public;")) : releaseFiles;
  const isAddress = family === "php" && !balancer;
  return [
    "# Nothing answers behind nginx: the release's own page 50x.html, or Longshore's.",
    // With a second attempt, another error page comes first.
    ...(family === "node" && !balancer ? [] : [`error_page 502 504 ${isAddress ? "/50x.html" : "@unreachable"};`]),
    // nginx requests a URL of an error page with GET, but processes it from the start: a node would hand back a request
    // that it has already begun. And in a Node project all URLs belong to the application.
    ...block(isAddress ? "location = /50x.html" : "location @unreachable", [
      ...(isAddress ? ["internal;"] : ["error_page 405 =502 @longshore_page;", "recursive_error_pages on;"]),
      ...(balancer ? handBackUnsent : []),
      ...files,
      "set $own_page_caching no-store;",
      "try_files /50x.html @longshore_page;",
    ]),
    ...block("location @longshore_page", longshorePage),
  ];
}

/** The live release, for a deployment with its pass, which compares it with the one that it activated. */
export const releaseCheck = ({ kind, layout }: Site): string[] => {
  const live = { static: "$release", php: "$release", node: "$upstream", balanced: "$node" }[kind.family];
  return [
    "# What is live. Other projects of the server reach this as well, so only a deployment's pass gets an answer.",
    ...block(`location = ${releaseCheckPath}`, [
      "access_log off;",
      "default_type text/plain;",
      "set $own_page_caching no-store;",
      `if (!-f ${layout.state}/candidate-$longshore_candidate_pass) { return 404; }`,
      `return 200 "${live}\\n";`,
    ]),
  ];
};
