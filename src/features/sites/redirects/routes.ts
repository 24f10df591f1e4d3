import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { importRedirects, replaceRedirects, showRedirects } from "./actions.ts";
import { ignoredExample, redirectExample, redirectsExample } from "./examples.ts";
import { RedirectsChanged, RedirectsImport, RedirectsImported, RedirectsReply, RedirectsRequest } from "./schema.ts";

const waits =
  "Nothing is deployed, and no request of a visitor is lost. The request waits for the web server for at most 90 seconds; past that it " +
  "answers 202, and the change continues. What the web server rejects is taken back, and gets 422 with its reason.";

const data = [redirectExample];
const nginx_response = { ok: true, system_output: ["The web server serves the project."] };

export const redirectRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/projects/:id/redirects",
    summary: "List the redirects of a project",
    description:
      "Those by path, in their order; those of whole names are with the domains. `sync` shows whether the web servers have them.",
    tag: "domains",
    permission: "project:read",
    params: IdParams,
    reply: RedirectsReply,
    examples: { reply: success({ data: redirectsExample }) },
    handle: async (ctx, { params }) => success({ data: await showRedirects(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/redirects",
    record: "/api/v1/projects/:id/redirects",
    summary: "Replace the redirects of a project",
    description:
      "The first redirect that matches the path of a request applies, before anything else of the site, whatever serves it. Challenges of " +
      "certificate authorities are never redirected, nor are the requests with which a deployment checks its release.\n\n" +
      "* A path matches as it is sent: upper and lower case differ, and so do `/old` and `/old/`.\n" +
      "* A placeholder stands for one part of the path, and never for an empty one. Regular expressions are not possible.\n" +
      "* Redirects that lead visitors in a circle, or through more than 10 others, get 422.\n" +
      "* They need no password where the site requires one, and apply on all names of the project that serve it.\n\n" +
      waits,
    tag: "domains",
    permission: "project:update",
    params: IdParams,
    body: RedirectsRequest,
    reply: RedirectsChanged,
    otherStatuses: [202],
    examples: {
      body: { redirects: data },
      reply: success({
        message: "The redirects were replaced, and the web server follows.",
        ...{ data, nginx_response },
      }),
    },
    handle: (ctx, { params, body }) => replaceRedirects(ctx, params.id, body),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/redirects/import",
    record: "/api/v1/projects/:id/redirects",
    summary: "Import redirects from a _redirects or .htaccess file",
    description:
      "Adds the redirects of the text after those that the project has, or in place of them. Lines that are something else or need more " +
      `than \`PUT\` can are left out, and listed in \`ignored\`.\n\n${waits}`,
    tag: "domains",
    permission: "project:update",
    params: IdParams,
    body: RedirectsImport,
    reply: RedirectsImported,
    otherStatuses: [202],
    examples: {
      body: { format: "_redirects" as const, text: "/blog/:slug /news/:slug 301\n" },
      reply: success({
        message: "1 redirect was imported without 1 line of the text, and the web server follows.",
        ...{ data, nginx_response },
        imported: 1,
        ignored: [ignoredExample],
      }),
    },
    handle: (ctx, { params, body }) => importRedirects(ctx, params.id, body),
  }),
];
