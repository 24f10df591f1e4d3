import { handBack, handBackUnsaid } from "./balancer.ts";
import type { Site, SiteKind } from "./site.ts";

// The pages of ours that visitors see instead of a site, and what the server itself is shown of it.

/** Shows what is live, to requests from the server itself. */
export const releaseCheckPath = "/.well-known/longshore/release";

/** A page as one line of HTML, without a double quote. */
export const pageHtml = (headline: string, explanation: string): string =>
  [
    "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'>",
    `<title>${headline}</title><style>:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;`,
    "font:16px/1.6 system-ui,sans-serif;background:Canvas;color:CanvasText}main{max-width:26rem;padding:2rem;text-align:center}",
    "h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem;letter-spacing:-.02em}p{margin:0;opacity:.7}",
    "i{display:block;width:2.5rem;height:.25rem;border-radius:1rem;background:#3b82f6;margin:0 auto 1.5rem}</style>",
    `<main><i></i><h1>${headline}</h1><p>${explanation}</p></main></html>`,
  ].join("");

/**
 * The page for visitors while nothing is served: a page of ours, which is named where the server itself is shown what is live. And
 * when nginx reaches nothing behind it: the release's own page 50x.html, or ours. An answer that an application gives itself is
 * left as it is.
 */
export const errorPages = (site: Site): string[] => [
  `error_page 503 ${releaseCheckPath};`,
  ...(site.kind.family === "static" ? [] : unreached(site)),
];

/** Whether a request that a Node process did not take is given to the live one; a balancer's is handed back instead. */
export const triesAgain = ({ kind, balancer }: Site): boolean => kind.family === "node" && balancer === undefined;

function unreached({ kind, balancer }: Site): string[] {
  // A node would hand back what it has begun if it looked at the request from the start again.
  if (balancer || kind.family === "balanced") return unreachedOnce(kind.family, balancer !== undefined);
  // The page is an address as any other, and `try_files` has a name for the case without it: that costs no block.
  if (kind.family === "php") return ["error_page 502 504 /50x.html;"];
  return [
    "error_page 502 = @live;",
    "error_page 504 @ours;",
    "location @ours {",
    ...publicFiles,
    `    try_files /50x.html ${releaseCheckPath};`,
    "}",
  ];
}

const publicFiles = ["    root $release/public;", "    disable_symlinks if_not_owner from=$release;"];

const unreachedOnce = (family: SiteKind["family"], isNode: boolean): string[] => [
  "error_page 502 504 @ours;",
  "location @ours {",
  // HTML, whatever was asked for.
  "    rewrite ^ /50x.html;",
  "    add_header Cache-Control no-store always;",
  ...(isNode ? [handBack, ...handBackUnsaid].map((line) => `    ${line}`) : []),
  ...(family === "node" ? publicFiles : []),
  ...(family === "balanced" ? [] : ["    if (-f $longshore_own_page) { break; }"]),
  // The status stays what it was.
  "    return 503 $longshore_page;",
  "}",
];

/**
 * The live release, for the server itself. An `if` that answers everybody else with 404 would cost nginx as much as two locations.
 */
export const releaseCheck = [
  `location = ${releaseCheckPath} {`,
  "    default_type text/html;",
  "    return 200 $longshore_said;",
  "}",
];
