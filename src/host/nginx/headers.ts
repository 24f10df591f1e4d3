import { handBack } from "./balancer.ts";
import type { Site } from "./site.ts";

// The headers that nginx adds to the answers of a site.

const headersOf = (caching: string, alternative: boolean): string[] => [
  "add_header X-Frame-Options $longshore_frame_options;",
  "add_header X-Content-Type-Options $longshore_content_type_options;",
  "add_header Referrer-Policy $longshore_referrer_policy;",
  `add_header Cache-Control ${caching};`,
  // For pages of ours, which are shown instead of the site.
  "add_header Cache-Control $longshore_fresh always;",
  "add_header Retry-After $longshore_retry always;",
  // nginx's own is there besides; to clients the one that closes counts. Empty, and then not sent, but shortly before a reload.
  "add_header Connection $longshore_last always;",
  // Empty, and then not sent, over plain HTTP and on servers without HTTP/3.
  ...(alternative ? ["add_header Alt-Svc $longshore_alternative;"] : []),
];

/** The headers of a site without its own, at the level of `http`. */
export const sharedHeaders = headersOf("$longshore_caching", true);

/**
 * The headers that a site, or a location of it with a `caching` of its own, sets besides `sharedHeaders`; nothing where those are
 * all. nginx forgets those of the level above as soon as there is one: then it names them all.
 */
export const headers = ({ tls, hsts, markdownNegotiation, balancer }: Site, caching?: string): string[] => {
  const own = [
    // Caches keep the page and its Markdown apart.
    ...(markdownNegotiation ? ["add_header Vary Accept;"] : []),
    ...(balancer ? [handBack] : []),
    ...(tls && hsts ? ["add_header Strict-Transport-Security $longshore_https_only always;"] : []),
  ];
  if (own.length === 0 && caching === undefined) return [];
  return [...headersOf(caching ?? "$longshore_caching", tls !== undefined), ...own];
};
