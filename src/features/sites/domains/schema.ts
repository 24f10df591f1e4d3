import { type Static, Type } from "typebox";
import { Sync } from "../../../engine/reconcile/target.ts";
import { Page, PageQuery } from "../../../http/pagination.ts";
import {
  described,
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
import { type DomainRow, ProjectDomain, wwwRedirects } from "../../site-records/schema.ts";
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
    ok: Type.Boolean({ description: "Whether it led to the server" }),
    expected_ip: Nullable(Type.String({ description: "The server's address; null while it was not known" })),
    addresses: Type.Array(Type.String(), { description: "The addresses that it had" }),
    chain: Type.Array(Type.String(), { description: "The aliases (CNAME) that led to the addresses" }),
    message: Type.String({ description: "What to change, when it is not ok" }),
    checked_at: described(Timestamp, "When it was looked up"),
  }),
  "Where a domain pointed to when it was last looked up",
);
export type StoredDnsCheck = Static<typeof StoredDnsCheck>;

const Domain = named(
  "Domain",
  Joined(
    ProjectDomain,
    Type.Object({
      project_id: described(Id, "The project that answers to it"),
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

const domainId = described(Id, "The `id` of a domain of the project");
export const DomainParams = Type.Object({ id: Id, domainId });
export const DomainOfProjectParams = Type.Object({ projectId: described(Id, "The `id` of a project"), domainId });

const Name = Type.String({
  maxLength: 300,
  description: "A host name, such as www.example.com, which no other project has",
});
const WwwRedirect = OneOfIntegers([0, 1, 2], { description: wwwRedirects });

export const DomainRequest = named("DomainRequest", Type.Object({ domain: Name }));

export const DomainsRequest = named(
  "DomainsRequest",
  Type.Object({
    domains: Type.Array(Name, {
      minItems: 1,
      maxItems: maxDomains,
      title: "list of domains",
      description: "All of them. The primary domain stays primary; without it the first that serves becomes it",
    }),
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
  Type.Object({
    domains: Type.Array(Domain, { description: "All of the project, as they are now" }),
    www_redirect: WwwRedirect,
    primary_domain: Type.String({ description: "The `domain_name` of the primary domain" }),
  }),
  "The names of a project",
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
  Success({
    message,
    domains: Type.Array(Domain, { description: "All of the project, as they are now" }),
    nginx_response,
  }),
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
    server_id: Type.Integer({
      minimum: 1,
      maximum: maxId,
      title: "server",
      description: "The server that the names should lead to",
    }),
    domains: Type.Array(Name, {
      minItems: 1,
      maxItems: 20,
      title: "list of domains",
      description: "The names to look up",
    }),
  }),
);

const DnsCheckedName = named(
  "DnsCheckedName",
  Type.Object({
    name: Type.String({ description: "A host name" }),
    ok: Type.Boolean({ description: "Whether it leads to the server" }),
    addresses: Type.Array(Type.String(), { description: "What the DNS answers" }),
    chain: Type.Array(Type.String(), { description: "The aliases (CNAME) that led to the addresses" }),
    message: Type.String({ description: "What to change, when it fails" }),
  }),
  "A name that was looked up",
);

export type CheckedName = Static<typeof DnsCheckedName>;

export const NsChecked = named(
  "DnsCheck",
  Type.Object({
    status: OneOf(["success", "failed"], { description: "success: all names lead to the server" }),
    domain: Type.String({ description: "The domain that was asked for" }),
    expected_ip: Nullable(Type.String({ description: "The server's address; null while it is not known" })),
    resolved_ip: Nullable(Type.String({ description: "The first address of the domain; null when it has none" })),
    message: Type.String({ description: "What to change, when it fails" }),
    names: Type.Array(DnsCheckedName, {
      description: "Every name that was looked up: the domain, and the form that www_redirect adds",
    }),
  }),
);

export const NamesChecked = List(NsChecked);
