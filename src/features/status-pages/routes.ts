import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import {
  addUpdate,
  changePage,
  changeUpdate,
  checkPage,
  createPage,
  deleteIncident,
  deletePage,
  deleteUpdate,
  openIncident,
  renameIncident,
  showIncident,
  showIncidents,
  showPage,
  showPages,
} from "./actions.ts";
import {
  incidentExample,
  incidentsExample,
  statusPageExample,
  statusPageRequestExample,
  statusPagesExample,
} from "./examples.ts";
import {
  IncidentChanged,
  IncidentPage,
  IncidentParams,
  IncidentReply,
  IncidentRequest,
  IncidentUpdate,
  StatusPageChanged,
  StatusPagePage,
  StatusPageReply,
  StatusPageRequest,
  StatusPageUpdate,
  UpdateChange,
  UpdateParams,
  UpdateRequest,
} from "./schema.ts";

const path = "/api/v1/status-pages";
const tag = "status-pages";

const pageRoutes: Route[] = [
  route({
    method: "GET",
    path,
    summary: "List status pages",
    description: "By id, 25 on a page. A restricted membership sees the pages whose monitors are all in its reach.",
    tag,
    permission: "monitor:read",
    query: PageQuery,
    reply: StatusPagePage,
    examples: { reply: statusPagesExample },
    handle: (ctx, { query }) => showPages(ctx, query),
  }),
  route({
    method: "POST",
    path,
    summary: "Publish the status of chosen monitors",
    description:
      "Visitors find it without a token at `/status/{slug}`, with a feed (`/feed.xml`) and a badge (`/badge.svg`) " +
      "below, and at its `domain` once that name leads here. `url` is its address. They see the labels of the " +
      "monitors, or else their names, and nothing else of the organization.\n\n" +
      "* `is_public` is true when omitted; with false, visitors get 404.\n" +
      "* `slug` and `domain` belong to one page of the installation (422); the address of Longshore itself is no " +
      "`domain`.\n" +
      "* `monitors` are at most 100, each once. A restricted membership names at least one, all in its reach.",
    tag,
    permission: "monitor:manage",
    body: StatusPageRequest,
    status: 201,
    reply: StatusPageChanged,
    errors: { not_found: "A monitor is out of reach." },
    examples: {
      body: statusPageRequestExample,
      reply: success({ message: "The status page Shop was created.", data: statusPageExample }),
    },
    check: (ctx, { body }) => checkPage(ctx, { params: undefined, body }),
    handle: async (ctx, { body }) => success(await createPage(ctx, body)),
  }),
  route({
    method: "GET",
    path: `${path}/:id`,
    summary: "Read a status page",
    description:
      "Its settings and monitors, in the order in which visitors see them; their state is on the page itself, at " +
      "`url`. `GET …/incidents` has its incidents.",
    tag,
    permission: "monitor:read",
    params: IdParams,
    reply: StatusPageReply,
    examples: { reply: success({ data: statusPageExample }) },
    handle: async (ctx, { params }) => success({ data: await showPage(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: `${path}/:id`,
    record: `${path}/:id`,
    summary: "Change a status page",
    description:
      "Omitted fields keep their values; `monitors` are replaced as a list, and `domain: null` removes the domain. " +
      "Visitors see a change within seconds. An earlier `slug` leads nowhere.",
    tag,
    permission: "monitor:manage",
    params: IdParams,
    body: StatusPageUpdate,
    reply: StatusPageChanged,
    examples: {
      body: { domain: "status.example.com" },
      reply: success({
        message: "The status page was updated. Visitors see it within seconds.",
        data: statusPageExample,
      }),
    },
    check: checkPage,
    handle: async (ctx, { params, body }) => success(await changePage(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete a status page with its incidents",
    description: "Visitors get 404 within seconds. The monitors stay as they are, and slug and domain are free again.",
    tag,
    permission: "monitor:manage",
    params: IdParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The status page Shop was deleted with its incidents." }) },
    handle: async (ctx, { params }) => success(await deletePage(ctx, params.id)),
  }),
];

const incidents = `${path}/:id/incidents`;
const incidentPath = ({ id, incidentId }: { id: number; incidentId: number }) => ({ pageId: id, incidentId });

const incidentRoutes: Route[] = [
  route({
    method: "GET",
    path: incidents,
    summary: "List the incidents of a status page, the newest first",
    description:
      "All of them, with their updates, 25 on a page. Visitors see those that are open, and those resolved in the " +
      "last 14 days.",
    tag,
    permission: "monitor:read",
    params: IdParams,
    query: PageQuery,
    reply: IncidentPage,
    examples: { reply: incidentsExample },
    handle: (ctx, { params, query }) => showIncidents(ctx, params.id, query),
  }),
  route({
    method: "POST",
    path: incidents,
    summary: "Write about an incident",
    description:
      "With its first update; `state` is `investigating` when omitted. Incidents are written by people and " +
      "independent of monitors. `text` is plain text. Visitors see it within seconds, and subscribers of the feed " +
      "with it.",
    tag,
    permission: "monitor:manage",
    params: IdParams,
    body: IncidentRequest,
    status: 201,
    reply: IncidentChanged,
    examples: {
      body: { title: "Orders are delayed", state: "investigating", text: "We are looking into it." },
      reply: success({ message: "The incident is on the status page.", data: incidentExample }),
    },
    handle: async (ctx, { params, body }) => success(await openIncident(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: `${incidents}/:incidentId`,
    summary: "Read an incident with its updates, the newest first",
    description: "`state` is that of the newest update, and `resolved_at` is null while it is not `resolved`.",
    tag,
    permission: "monitor:read",
    params: IncidentParams,
    reply: IncidentReply,
    examples: { reply: success({ data: incidentExample }) },
    handle: async (ctx, { params }) => success({ data: await showIncident(ctx, incidentPath(params)) }),
  }),
  route({
    method: "PUT",
    path: `${incidents}/:incidentId`,
    record: `${incidents}/:incidentId`,
    summary: "Rename an incident",
    description: "Changes the title alone. State and text are those of its updates.",
    tag,
    permission: "monitor:manage",
    params: IncidentParams,
    body: IncidentUpdate,
    reply: IncidentChanged,
    examples: {
      body: { title: "Orders are delayed" },
      reply: success({ message: "The incident was renamed.", data: incidentExample }),
    },
    handle: async (ctx, { params, body }) => success(await renameIncident(ctx, incidentPath(params), body.title)),
  }),
  route({
    method: "DELETE",
    path: `${incidents}/:incidentId`,
    summary: "Delete an incident with its updates",
    description: "It disappears from the page and the feed. To end an incident, add an update with `resolved` instead.",
    tag,
    permission: "monitor:manage",
    params: IncidentParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The incident was deleted." }) },
    handle: async (ctx, { params }) => success(await deleteIncident(ctx, incidentPath(params))),
  }),
  route({
    method: "POST",
    path: `${incidents}/:incidentId/updates`,
    summary: "Add an update to an incident",
    description:
      "The incident is in the state of its newest update; `resolved` ends it, and a later update opens it again. " +
      "The answer is the whole incident.",
    tag,
    permission: "monitor:manage",
    params: IncidentParams,
    body: UpdateRequest,
    status: 201,
    reply: IncidentChanged,
    examples: {
      body: { state: "investigating", text: "We are looking into it." },
      reply: success({ message: "The update is on the status page.", data: incidentExample }),
    },
    handle: async (ctx, { params, body }) => success(await addUpdate(ctx, incidentPath(params), body)),
  }),
  route({
    method: "PUT",
    path: `${incidents}/:incidentId/updates/:updateId`,
    record: `${incidents}/:incidentId`,
    summary: "Change the text of an update",
    description: "For corrections: its state and time stay. The answer is the whole incident.",
    tag,
    permission: "monitor:manage",
    params: UpdateParams,
    body: UpdateChange,
    reply: IncidentChanged,
    examples: {
      body: { text: "We are looking into it." },
      reply: success({ message: "The update was changed.", data: incidentExample }),
    },
    handle: async (ctx, { params, body }) =>
      success(await changeUpdate(ctx, incidentPath(params), params.updateId, body.text)),
  }),
  route({
    method: "DELETE",
    path: `${incidents}/:incidentId/updates/:updateId`,
    summary: "Delete an update of an incident",
    description:
      "The incident is then in the state of the newest update that is left, and keeps its state if there is none. " +
      "The answer is the whole incident.",
    tag,
    permission: "monitor:manage",
    params: UpdateParams,
    reply: IncidentChanged,
    examples: { reply: success({ message: "The update was deleted.", data: incidentExample }) },
    handle: async (ctx, { params }) => success(await deleteUpdate(ctx, incidentPath(params), params.updateId)),
  }),
];

export const statusPageRoutes: Route[] = [...pageRoutes, ...incidentRoutes];
