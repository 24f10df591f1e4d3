import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import {
  addDomain,
  checkDomain,
  checkDomains,
  checkRedirect,
  deleteDomain,
  replaceDomains,
  setPrimary,
  setRedirect,
  showDomains,
  showDomainsOf,
} from "./actions.ts";
import { checkNs } from "./check-ns.ts";
import { domainExample, domainPageExample, domainsExample, nsExample } from "./examples.ts";
import {
  DomainAdded,
  DomainDeleted,
  DomainList,
  DomainOfProjectParams,
  DomainPage,
  DomainParams,
  DomainQuery,
  DomainRequest,
  DomainsReplaced,
  DomainsRequest,
  NsChecked,
  NsQuery,
  PrimarySet,
  RedirectRequest,
  RedirectSet,
} from "./schema.ts";

const waits =
  "The request waits for the web server for at most 90 seconds; past that it answers 202 with `nginx_response: null`, and the " +
  "change continues. One that the web server rejects is reverted, with all that share its publication: the answer is 422 with " +
  "the reason. A server that does not answer has rejected nothing: the change stays and is retried, and `sync` shows it. Where " +
  "nothing changes for the web server, as before the first deployment, `nginx_response` is null too.";
const withAnswer = { nginx_response: { ok: true, system_output: [] } };
const refusedByServer = "The web server rejects the change; it was reverted.";

export const domainRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/domains",
    summary: "List domains",
    description:
      "Of all projects in your reach, by id, 25 on a page. A domain serves its project, or redirects to `redirect_to`; " +
      "`is_active` is always 1. `sync` is that of the project's web servers.",
    permission: "project:read",
    query: DomainQuery,
    reply: DomainPage,
    examples: { reply: domainPageExample },
    handle: (ctx, { query }) => showDomains(ctx, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/domains",
    summary: "List a project's domains",
    description:
      "All of them at once, the primary one first. A domain serves the project, or redirects to `redirect_to`; `is_active` is " +
      "always 1. `sync` is that of the project's web servers.",
    tag: "domains",
    permission: "project:read",
    params: IdParams,
    reply: DomainList,
    examples: { reply: success({ data: domainsExample }) },
    handle: async (ctx, { params }) => success(await showDomainsOf(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/domains",
    summary: "Add a domain",
    description:
      "One host name with at least one dot; wildcards, addresses, ports and paths get 422. Names in other scripts are " +
      "stored as punycode. A name belongs to one project of the installation, with the form (`www.` or without) that " +
      "`www_redirect` adds; a " +
      `project has at most 100. The domain serves at once, over plain HTTP until a certificate covers it.\n\n${waits}`,
    tag: "domains",
    permission: "project:update",
    params: IdParams,
    body: DomainRequest,
    status: 201,
    otherStatuses: [202],
    reply: DomainAdded,
    examples: {
      body: { domain: "shop.example.com" },
      reply: success({
        message: "shop.example.com was added, and the web server follows.",
        domain: domainExample,
        ...withAnswer,
      }),
    },
    check: checkDomain,
    handle: (ctx, { params, body }) => addDomain(ctx, params.id, body),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/domains",
    record: "/api/v1/projects/:id",
    summary: "Replace a project's domains",
    description:
      "Domains that stay keep their ids and redirects, and the primary one stays primary; without it, the first one that " +
      "serves " +
      `becomes primary. At least one of them has to serve. \`www_redirect\` keeps its value when omitted.\n\n${waits}`,
    tag: "domains",
    permission: "project:update",
    params: IdParams,
    body: DomainsRequest,
    otherStatuses: [202],
    reply: DomainsReplaced,
    examples: {
      body: { domains: ["shop.example.com"], www_redirect: 1 },
      reply: success({
        message: "The domains were replaced, and the web server follows.",
        data: { domains: [domainExample], www_redirect: 1 as const, primary_domain: "shop.example.com" },
        ...withAnswer,
      }),
    },
    check: checkDomains,
    handle: (ctx, { params, body }) => replaceDomains(ctx, params.id, body),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/domains/:domainId/primary",
    summary: "Make a domain the primary one",
    description:
      "A domain that redirects is refused. Where `www_redirect` would redirect visitors away from the new primary domain, its " +
      "direction is reversed: for a name with `www.`, and for one without whose `www.` form is a domain of the project too. " +
      `\`redirect_setting\` is its value afterwards.\n\n${waits}`,
    tag: "domains",
    permission: "project:update",
    params: DomainParams,
    otherStatuses: [202],
    reply: PrimarySet,
    errors: { refused: `The domain redirects elsewhere. ${refusedByServer}` },
    examples: {
      reply: success({
        message: "shop.example.com is the primary domain, and the web server follows.",
        redirect_setting: 1 as const,
        ...withAnswer,
      }),
    },
    handle: (ctx, { params }) => setPrimary(ctx, params.id, params.domainId),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:projectId/domains/:domainId/redirect",
    record: "/api/v1/projects/:id",
    summary: "Redirect a domain, or let it serve again",
    description:
      "A redirect to a host name goes to https with the path of the request, one to a URL with a path goes there only. " +
      "`redirect_to: null` lets the domain serve again. Without `redirect_status_code` the domain keeps its own, or has the " +
      "project's. The primary domain cannot redirect, and redirects that lead in a circle get 422. `domains` are all of the " +
      `project's.\n\n${waits}`,
    tag: "domains",
    permission: "project:update",
    params: DomainOfProjectParams,
    body: RedirectRequest,
    otherStatuses: [202],
    reply: RedirectSet,
    errors: { refused: `The domain is the primary one. ${refusedByServer}` },
    examples: {
      body: { redirect_to: "https://shop.example.com", redirect_status_code: 308 },
      reply: success({
        message: "example.com redirects to https://shop.example.com, and the web server follows.",
        domains: domainsExample,
        ...withAnswer,
      }),
    },
    check: checkRedirect,
    handle: (ctx, { params, body }) => setRedirect(ctx, params.projectId, params.domainId, body),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/projects/:projectId/domains/:domainId",
    summary: "Delete a domain",
    description:
      `The primary domain and the only one are refused: make another one primary before. The name is free for other projects ` +
      `again, and the monitors of the domain are deleted with it.\n\n${waits}`,
    tag: "domains",
    permission: "project:update",
    params: DomainOfProjectParams,
    otherStatuses: [202],
    reply: DomainDeleted,
    errors: { refused: `The domain is the primary or the only one. ${refusedByServer}` },
    examples: {
      reply: success({ message: "example.com was deleted, and the web server follows.", ...withAnswer }),
    },
    handle: (ctx, { params }) => deleteDomain(ctx, params.projectId, params.domainId),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/check-ns",
    summary: "Check where a domain points",
    description:
      "Asks the DNS for the primary domain (or `domain_id`), and for the form that `www_redirect` adds: `names` has each " +
      "with its addresses and aliases. `status` is `failed` unless every address of the server's kind is the server's, or " +
      "the load balancer's of a balanced project, and `message` names what to change. Addresses of the other kind, usually " +
      "IPv6, are mentioned and cause no failure, since not all addresses of a server are known. /etc/hosts is not used. " +
      "Nothing is changed or stored.",
    tag: "domains",
    permission: "project:read",
    params: IdParams,
    query: NsQuery,
    reply: NsChecked,
    examples: { reply: nsExample },
    handle: (ctx, { params, query }) => checkNs(ctx, params.id, query.domain_id),
  }),
];
