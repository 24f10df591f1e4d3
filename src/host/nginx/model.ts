import type { WwwRedirect } from "../domain.ts";
import type { ProjectLayout } from "../layout.ts";
import type { PathRule } from "./path-pattern.ts";

// What the web server does for a project, as data: the files of this folder render it.

export interface SiteDomain {
  /** Lowercase hostname, as `domainName` returns it. */
  name: string;
  /** Where visitors of this name are redirected, as `redirectTarget` returns it; undefined: the name serves the project. */
  redirectTo?: string | undefined;
  redirectStatus?: RedirectStatus | undefined;
}

export type RedirectStatus = 301 | 302 | 307 | 308;

/** The status of a rule: 410 has no target. */
export type RuleStatus = RedirectStatus | 410;

export interface RedirectRule extends PathRule {
  /** A path of the site, or an http(s) address, in which `:name` and `:splat` stand for what the pattern found; null: nothing, with 410. */
  to: string | null;
  status: RuleStatus;
  /** Whether the query of the request is added. */
  keepsQuery: boolean;
}

/**
 * How a project answers. `spa`: unknown addresses get index.html; `detected`: unless the release has a 404.html, or its
 * deployment found several pages. `assets`: where names contain hashes. `balanced`: on a load balancer, by the kind of its nodes.
 */
export type SiteKind =
  | { family: "static"; spa: boolean | "detected"; assets?: AssetLayout | undefined }
  | { family: "php"; assets?: AssetLayout | undefined }
  | { family: "node"; ports: readonly [number, number] }
  | { family: "balanced"; nodes: readonly BalancedNode[] };

/** Paths on the server, and the names that the certificate covers: other names are served over plain HTTP only. */
export interface SiteTls {
  certificate: string;
  key: string;
  names: readonly string[];
  /** Whether visitors get the authority's OCSP response. nginx requests it when it loads the certificate. */
  stapled?: boolean;
}

/** Everything that decides what the web server does for a project. */
export interface Site {
  layout: ProjectLayout;
  kind: SiteKind;
  /** The primary one first; at least one. */
  domains: readonly SiteDomain[];
  /** The certificate for every name that serves. */
  wwwRedirect: WwwRedirect;
  redirectStatus: RedirectStatus;
  /** With it, plain HTTP redirects to HTTPS. */
  tls?: SiteTls | undefined;
  /** Answers in Markdown when a client asks for it: from the file beside a page, or converted from its HTML. */
  markdownNegotiation?: boolean;
  /** The largest request body; default: 100 MB. */
  maxUploadMb?: number;
  /** How long an answer of PHP may take; default: 300. */
  requestSeconds?: number;
  /** Browsers use HTTPS only, for a year. */
  hsts?: boolean;
  /** Addresses and networks that are believed about the visitor's address and scheme. */
  proxies?: readonly string[];
  /** This is the site of a node: visitors come through a load balancer. */
  balancer?: SiteBalancer | undefined;
  /**
   * Visitors must enter a password: the version of the password. The file `basic-auth` of the project's state lists who
   * may enter.
   */
  basicAuth?: number | undefined;
  /** Redirects by path; the first one that matches applies. */
  redirects?: readonly RedirectRule[];
  /** Writes the file `names` of the layout: for applications that need to know their own addresses. */
  hasNamesFile?: boolean;
}

/**
 * Where a framework's build puts files whose names contain a hash of their content: the output of a bundler for a static
 * site (`build`), or that of the frontend of Laravel or Symfony.
 */
export type AssetLayout = "build" | "laravel" | "symfony";

/** A server that runs a balanced project, with its id. */
export interface BalancedNode {
  id: number;
  /** IPv4 or IPv6 address on which its nginx listens. */
  address: string;
}

/** For a node: its balancer. */
export interface SiteBalancer {
  /** The source addresses of the balancer's requests. */
  addresses: readonly string[];
}
