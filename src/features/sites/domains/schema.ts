import { type Static, Type } from "typebox";
import { Sync } from "../../../engine/reconcile/target.ts";
import { Page, PageQuery } from "../../../http/pagination.ts";
import {
  Id,
  Joined,
  List,
  maxId,
  Nullable,
  named,
  OneOf,
  OneOfIntegers,
  Success,
  Timestamp,
} from "../../../http/schemas.ts";
import { type DomainRow, ProjectDomain } from "../../site-records/schema.ts";
import { ServerAnswer } from "../schema.ts";

/** More would be a mistake, and a certificate cannot have more names. */
export const maxDomains = 100;

/** A row of `domains` with the project that it belongs to. */
export interface DomainOfProject extends DomainRow {
  project_id: number;
}

const StoredDnsCheck = named(
  "StoredDnsCheck",
  Type.Object({
    ok: Type.Boolean(),
    expected_ip: Nullable(Type.String()),
    addresses: Type.Array(Type.String()),
    chain: Type.Array(Type.String({ description: "The aliases (CNAME) that led to the addresses" })),
    message: Type.String({ description: "What to change, when it is not ok" }),
    checked_at: Timestamp,
  }),
  "Where a domain pointed to when it was last looked up",
);
export type StoredDnsCheck = Static<typeof StoredDnsCheck>;

const Domain = named(
  "Domain",
  Joined(
    ProjectDomain,
    Type.Object({
      project_id: Id,
      sync: Sync,
      dns: Nullable({
        ...StoredDnsCheck,
        description:
          "The last look-up (`check-ns`) for the server that visitors reach, at its present address; null: there was none",
      }),
    }),
  ),
  "A domain that a project answers to",
);

export const DomainQuery = PageQuery;
export const DomainPage = Page(Domain);
export const DomainList = List(Domain);

export const DomainParams = Type.Object({ id: Id, domainId: Id });
export const DomainOfProjectParams = Type.Object({ projectId: Id, domainId: Id });

const Name = Type.String({ maxLength: 300 });
const WwwRedirect = OneOfIntegers([0, 1, 2], { description: "0 none, 1 www to non-www, 2 non-www to www" });

export const DomainRequest = named("DomainRequest", Type.Object({ domain: Name }));

export const DomainsRequest = named(
  "DomainsRequest",
  Type.Object({
    domains: Type.Array(Name, { minItems: 1, maxItems: maxDomains, title: "list of domains" }),
    www_redirect: Type.Optional(WwwRedirect),
  }),
);

export const RedirectRequest = named(
  "DomainRedirectRequest",
  Type.Object({
    redirect_to: Nullable(
      Type.String({
        maxLength: 2_000,
        description: "A host name or an http(s) URL; null: the domain serves the project",
      }),
    ),
    redirect_status_code: Type.Optional(
      OneOfIntegers([301, 302, 307, 308], { description: "Omitted: it stays, or is the project's" }),
    ),
  }),
);

const message = Type.String();
const nginx_response = Nullable(ServerAnswer);

export const DomainAdded = named("DomainAdded", Success({ message, domain: Domain, nginx_response }));
const DomainSet = named(
  "DomainSet",
  Type.Object({ domains: Type.Array(Domain), www_redirect: WwwRedirect, primary_domain: Type.String() }),
);
export const DomainsReplaced = named("DomainsReplaced", Success({ message, data: DomainSet, nginx_response }));
export const PrimarySet = named(
  "PrimaryDomainSet",
  Success({
    message,
    redirect_setting: OneOfIntegers([0, 1, 2], { description: "The project's www_redirect as it is now" }),
    nginx_response,
  }),
);
export const RedirectSet = named(
  "DomainRedirectSet",
  Success({ message, domains: Type.Array(Domain), nginx_response }),
);
export const DomainDeleted = named("DomainDeleted", Success({ message, nginx_response }));

export const NsQuery = Type.Object({
  domain_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxId, description: "A domain of the project; omitted: the primary one" }),
  ),
});

export const NamesRequest = named(
  "DnsCheckRequest",
  Type.Object({
    server_id: Type.Integer({ minimum: 1, maximum: maxId, title: "server" }),
    domains: Type.Array(Name, { minItems: 1, maxItems: 20, title: "list of domains" }),
  }),
);

const DnsCheckedName = named(
  "DnsCheckedName",
  Type.Object({
    name: Type.String(),
    ok: Type.Boolean(),
    addresses: Type.Array(Type.String()),
    chain: Type.Array(Type.String(), { description: "The aliases (CNAME) that led to the addresses" }),
    message: Type.String(),
  }),
  "A name that was looked up",
);

export type CheckedName = Static<typeof DnsCheckedName>;

export const NsChecked = named(
  "DnsCheck",
  Type.Object({
    status: OneOf(["success", "failed"]),
    domain: Type.String(),
    expected_ip: Nullable(Type.String({ description: "The server's address; null while it is not known" })),
    resolved_ip: Nullable(Type.String({ description: "The first address of the domain; null when it has none" })),
    message: Type.String({ description: "What to change, when it fails" }),
    names: Type.Array(DnsCheckedName, {
      description: "Every name that was looked up: the domain, and the form that www_redirect adds",
    }),
  }),
);

export const NamesChecked = List(NsChecked);
