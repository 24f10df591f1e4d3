import { Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import type { RuleStatus } from "../../host/nginx/model.ts";
import type { RuleMatch } from "../../host/nginx/path-pattern.ts";
import { described, Id, Nullable, named, OneOfIntegers, Timestamp } from "../../http/schemas.ts";
import { creationIn, givenIn, onOff, type StoredIn, setting, shownIn } from "../../http/settings.ts";

/** The site of a project on one of its servers. */
export const publishKind: Kind = { kind: "site", subject: "project" };

/** The site of a project on its load balancer. */
export const balancerSiteKind: Kind = { kind: "balancer-site", subject: "project" };

export interface DomainRow {
  id: number;
  domain_name: string;
  is_primary: boolean;
  is_active: boolean;
  redirect_to: string | null;
  redirect_status_code: 301 | 302 | 307 | 308 | null;
  created_at: string;
}

/** The settings that decide a project's names, and how they are served. A domain without an id is not stored yet. */
export interface DomainSet {
  www_redirect: 0 | 1 | 2;
  domains: (Omit<DomainRow, "id" | "created_at"> & Partial<Pick<DomainRow, "id" | "created_at">>)[];
}

const RedirectStatus = OneOfIntegers([301, 302, 307, 308], {
  description: "Of redirects among its domains: 301 and 308 permanent, 302 and 307 temporary; default: 301",
});

/** The values of `www_redirect`. */
export const wwwRedirects = "0 none, 1 www to non-www, 2 non-www to www";

/** The settings of a site that an update of its project can change. */
export const siteSettings = {
  markdown_negotiation_enabled: setting({
    ...onOff({ description: "Whether clients that ask for text/markdown get pages as Markdown; default: off" }),
    initial: false,
    scope: "change",
  }),
  spa_fallback: setting({
    shown: Nullable(
      Type.Boolean({
        description: "Whether unknown addresses of a static site get its index page; null: detected by its deployments",
      }),
    ),
    given: Nullable(Type.Boolean({ title: "SPA fallback" })),
    initial: null,
  }),
  redirect_status_code: setting({ shown: RedirectStatus, given: RedirectStatus, initial: 301, scope: "change" }),
  max_upload_mb: setting({
    shown: Type.Integer({ description: "The largest request body that the site takes, in MB; default: 100" }),
    given: Type.Integer({ minimum: 1, maximum: 10_240 }),
    initial: 100,
    scope: "change",
  }),
  hsts_is_enabled: setting({
    ...onOff({ description: "Whether browsers are required to keep to HTTPS; default: off" }),
    initial: false,
    scope: "change",
  }),
  trusted_proxies: setting({
    shown: Type.Array(Type.String(), {
      description:
        "Proxies in front of the site, which are believed about the address and the scheme of visitors; the organization's load " +
        "balancers are as well",
    }),
    given: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 200, title: "list of trusted proxies" }),
    initial: [],
    scope: "change",
  }),
};

export type SiteSettings = StoredIn<typeof siteSettings>;

/** The values that a change of a site replaced, which its web server has to accept. */
export interface SiteBefore extends Partial<DomainSet>, Partial<SiteSettings> {
  ssl_is_enabled?: boolean;
  basic_auth_user?: string | null;
  redirects?: RedirectRow[];
}

/** A change of a site that waits for its web server, or on which that has decided. */
export interface SiteChange {
  id: number;
  state: "pending" | "accepted" | "refused";
  reason: string | null;
}

/** The visible fields of a row of `sites`, with its domains. */
export interface ShownSite extends SiteSettings {
  ssl_is_enabled: boolean;
  www_redirect: 0 | 1 | 2;
  maintenance_mode: boolean;
  basic_auth_user: string | null;
  web_server_drift: { found_at: string; server_id: number | null; file: string; kept_as: string | null } | null;
  /** The load balancer in front of it; null: visitors reach the project's own server. */
  load_balancer_id: number | null;
  domains: DomainRow[];
}

/** A redirect by path, as it is stored. */
export interface RedirectRow {
  match: RuleMatch;
  from: string;
  to: string | null;
  status: RuleStatus;
  keeps_query: boolean;
}

/** A site with the fields that only jobs need. */
export interface SiteRow extends ShownSite {
  /** In their order. */
  redirects: RedirectRow[];
  basic_auth_version: number;
}

const Flag = OneOfIntegers([0, 1]);
const text = Type.String();

/** Within its project. The sites feature has `Domain`, which can stand alone. */
export const ProjectDomain = named(
  "ProjectDomain",
  Type.Object({
    id: Id,
    domain_name: described(text, "In lower case, and in Punycode where it has other letters"),
    is_primary: described(Flag, "1: the domain that the others redirect to or stand beside"),
    is_active: described(Flag, "1: the web servers answer to it"),
    redirect_to: Nullable(described(text, "Where visitors are redirected; null: the domain serves the project")),
    redirect_status_code: Nullable(Type.Integer({ description: "301, 302, 307 or 308; null: the project's" })),
    created_at: Timestamp,
  }),
  "A domain within its project",
);

const WebServerDrift = named(
  "WebServerDrift",
  Type.Object({
    found_at: Timestamp,
    server_id: Nullable(described(Id, "Where it was found; null once that server was deleted")),
    file: Type.String({ description: "The file of the web server that an operator had changed by hand" }),
    kept_as: Nullable(
      Type.String({ description: "Where the server keeps the changed file; null: it had been removed" }),
    ),
  }),
  "A file of the web server that was changed by hand",
);

const { redirect_status_code, ...shownSettings } = shownIn(siteSettings);

/** The site's part of a project in an answer. */
export const siteFields = {
  ssl_is_enabled: described(Flag, "Whether it has a certificate and HTTPS: 0 off, 1 on"),
  redirect_status_code,
  www_redirect: OneOfIntegers([0, 1, 2], { description: wwwRedirects }),
  primary_domain: described(text, "The `domain_name` of the primary domain"),
  domains: Type.Array(ProjectDomain, { description: "All names that it answers to" }),
  maintenance_mode: Type.Boolean({ description: "Whether visitors see the maintenance page" }),
  ...shownSettings,
  basic_auth_user: Nullable(
    Type.String({ description: "The user name that the site requires with a password; null: it requires none" }),
  ),
  web_server_drift: Nullable(WebServerDrift),
  load_balancer_id: Nullable(Type.Integer({ description: "The load balancer in front of the project" })),
};

const BasicAuth = named(
  "BasicAuth",
  Type.Object(
    {
      // nginx takes a line that begins with # for a comment: that user could not sign in.
      username: Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: "^[^:#\\p{Cc}][^:\\p{Cc}]*$",
        description: "Without a colon, and no # at its beginning",
      }),
      password: Type.String({ minLength: 8, maxLength: 200, description: "8 to 200 characters" }),
    },
    { description: "User name and password that the site requires; null: none. The password is in no answer." },
  ),
);

/** The site's part of an update of a project. */
export const siteUpdate = { ...givenIn(siteSettings), basic_auth: Type.Optional(Nullable(BasicAuth)) };

/** The site's part of a request for a new project. */
export const siteCreation = creationIn(siteSettings);
