import { Type } from "typebox";
import { Sync } from "../../../engine/reconcile/target.ts";
import { Page, PageQuery } from "../../../http/pagination.ts";
import { Id, maxId, Nullable, OneOf, OneOfIntegers, Success } from "../../../http/schemas.ts";
import { Domain, type DomainRow } from "../../sites/schema.ts";
import { ServerAnswer } from "../schema.ts";

/** More would be a mistake, and a certificate cannot have more names. */
export const maxDomains = 100;

/** A row of `domains` with the project that it belongs to. */
export interface DomainOfProject extends DomainRow {
  project_id: number;
}

export const DomainEntry = Type.Object({ ...Domain.properties, project_id: Id, sync: Sync });

export const DomainQuery = PageQuery;
export const DomainPage = Page(DomainEntry);
export const DomainList = Success({ data: Type.Array(DomainEntry) });

export const DomainParams = Type.Object({ id: Id, domainId: Id });
export const DomainOfProjectParams = Type.Object({ projectId: Id, domainId: Id });

const Name = Type.String({ maxLength: 300 });
const WwwRedirect = OneOfIntegers([0, 1, 2], { description: "0 none, 1 www to non-www, 2 non-www to www" });

export const DomainRequest = Type.Object({ domain: Name });

export const DomainsRequest = Type.Object({
  domains: Type.Array(Name, { minItems: 1, maxItems: maxDomains, title: "list of domains" }),
  www_redirect: Type.Optional(WwwRedirect),
});

export const RedirectRequest = Type.Object({
  redirect_to: Nullable(
    Type.String({
      maxLength: 2_000,
      description: "A host name or an http(s) URL; null: the domain serves the project",
    }),
  ),
  redirect_status_code: Type.Optional(
    OneOfIntegers([301, 302, 307, 308], { description: "Omitted: it stays, or is the project's" }),
  ),
});

const message = Type.String();
const nginx_response = Nullable(ServerAnswer);

export const DomainAdded = Success({ message, domain: DomainEntry, nginx_response });
export const DomainsReplaced = Success({
  message,
  data: Type.Object({ domains: Type.Array(DomainEntry), www_redirect: WwwRedirect, primary_domain: Type.String() }),
  nginx_response,
});
export const PrimarySet = Success({
  message,
  redirect_setting: OneOfIntegers([0, 1, 2], { description: "The project's www_redirect as it is now" }),
  nginx_response,
});
export const RedirectSet = Success({ message, domains: Type.Array(DomainEntry), nginx_response });
export const DomainDeleted = Success({ message, nginx_response });

export const NsQuery = Type.Object({
  domain_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxId, description: "A domain of the project; omitted: the primary one" }),
  ),
});

export const NsChecked = Type.Object({
  status: OneOf(["success", "failed"]),
  domain: Type.String(),
  expected_ip: Nullable(Type.String({ description: "The server's address; null while it is not known" })),
  resolved_ip: Nullable(Type.String({ description: "The first address of the domain; null when it has none" })),
  message: Type.String({ description: "What to change, when it fails" }),
  names: Type.Array(
    Type.Object({
      name: Type.String(),
      ok: Type.Boolean(),
      addresses: Type.Array(Type.String()),
      chain: Type.Array(Type.String(), { description: "The aliases (CNAME) that led to the addresses" }),
      message: Type.String(),
    }),
    { description: "Every name that was looked up: the domain, and the form that www_redirect adds" },
  ),
});
