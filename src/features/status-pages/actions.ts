import { type Config, installationUrl } from "../../config.ts";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { domainName } from "../../host/domain.ts";
import { refuseChanged } from "../../http/expected.ts";
import { pageOf, paginated, totalOf } from "../../http/pagination.ts";
import type { Partly, RequestContext } from "../../http/route.ts";
import { isOn } from "../../http/schemas.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import {
  countIncidents,
  countPages,
  deleteIncidentRow,
  deletePageRow,
  deleteUpdateRow,
  findIncident,
  findPage,
  followUpdates,
  type IncidentPath,
  insertIncident,
  insertPage,
  insertUpdate,
  listIncidents,
  listPages,
  listTaken,
  lockPage,
  type PageSettings,
  replaceMonitors,
  setIncidentTitle,
  setUpdateText,
  updatePage,
} from "./queries.ts";
import {
  addressOf,
  type IncidentBody,
  type IncidentRow,
  type StatusPageBody,
  type StatusPageRow,
  type StatusPageUpdateBody,
  type UpdateBody,
} from "./schema.ts";

const itemsPerPage = 25;

type PageQuery = { page?: unknown; per_page?: unknown };
type Tx = Parameters<Parameters<typeof transaction>[1]>[0];

const pageNotFound = (): AppError => notFound("The status page");
const incidentNotFound = (): AppError => notFound("The incident");

// Pages --------------------------------------------------------------------------------------------------------------------

export async function showPages(ctx: RequestContext, query: PageQuery) {
  const page = pageOf(query, itemsPerPage);
  const pages = await listPages(ctx.pool, ctx.actor, page);
  const total = await totalOf(page, pages, () => countPages(ctx.pool, ctx.actor));
  return paginated(
    page,
    total,
    pages.map((each) => pageRecord(ctx, each)),
  );
}

export const showPage = async (ctx: RequestContext, id: number) => pageRecord(ctx, await getPage(ctx, id));

async function getPage(ctx: RequestContext, id: number): Promise<StatusPageRow> {
  const page = await findPage(ctx.pool, ctx.actor, id);
  if (!page) throw pageNotFound();
  return page;
}

const pageRecord = ({ config }: Pick<Context, "config">, { organization_id: _, ...page }: StatusPageRow) => ({
  ...page,
  url: `${addressOf(installationUrl(config), page)}${page.domain === null ? "" : "/"}`,
});

const isOwnName = (config: Config, domain: string): boolean =>
  config.domains.includes(domain) || domain === new URL(installationUrl(config)).hostname;

/** The errors of a page beyond its schema. */
export async function checkPage(
  ctx: RequestContext,
  { params, body }: { params: { id: number } | undefined; body: Partly<StatusPageUpdateBody> },
): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  const domain = typeof body.domain === "string" ? domainName(body.domain) : undefined;
  if (typeof body.domain === "string" && domain === undefined) {
    errors.domain = "The domain must be a host name such as status.example.com, without scheme, port or path.";
  } else if (domain !== undefined && isOwnName(ctx.config, domain)) {
    errors.domain = "This is the address of Longshore itself: choose another host name.";
  }
  const ids = (body.monitors ?? []).map((monitor) => monitor.id);
  if (new Set(ids).size !== ids.length) errors.monitors = "Name each monitor once.";
  const taken = await listTaken(ctx.pool, { id: params?.id, slug: body.slug, domain });
  if (taken.slug) errors.slug = usedElsewhere.slug;
  if (taken.domain) errors.domain = usedElsewhere.domain;
  return errors;
}

const usedElsewhere = {
  slug: "The slug is used by another status page.",
  domain: "The domain is used by another status page.",
};

/** A transaction that writes a page. The slug and the domain may have been taken since they were checked. */
async function writePage<Result>(ctx: RequestContext, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  try {
    return await transaction(ctx.pool, work);
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === "23505" && constraint === "status_pages_slug_key") throw invalid({ slug: usedElsewhere.slug });
    if (code === "23505" && constraint === "status_pages_domain_key") throw invalid({ domain: usedElsewhere.domain });
    throw error;
  }
}

export async function createPage(ctx: RequestContext, body: StatusPageBody) {
  const id = await writePage(ctx, async (tx) => {
    const created = await insertPage(tx, ctx.actor.organizationId, settingsAfter(undefined, body));
    if (!(await replaceMonitors(tx, ctx.actor, created, body.monitors ?? []))) throw notFound("A monitor of the page");
    // A restricted member would not find the page.
    if (!(await findPage(tx, ctx.actor, created))) {
      throw new AppError(
        "forbidden",
        "A restricted membership makes status pages of monitors in its reach: name at least one.",
      );
    }
    return created;
  });
  return { message: `The status page ${body.name} was created.`, data: await showPage(ctx, id) };
}

/** Changes the given fields; the rest stays. */
export async function changePage(ctx: RequestContext, id: number, body: StatusPageUpdateBody) {
  await writePage(ctx, async (tx) => {
    const page = await lockPage(tx, ctx.actor, id);
    if (!page) throw pageNotFound();
    refuseChanged(ctx, page);
    await updatePage(tx, id, settingsAfter(page, body));
    if (body.monitors && !(await replaceMonitors(tx, ctx.actor, id, body.monitors)))
      throw notFound("A monitor of the page");
  });
  return { message: "The status page was updated. Visitors see it within seconds.", data: await showPage(ctx, id) };
}

const settingsAfter = (page: StatusPageRow | undefined, body: StatusPageUpdateBody): PageSettings => ({
  name: body.name ?? page?.name ?? "",
  description: body.description ?? page?.description ?? "",
  slug: body.slug ?? page?.slug ?? "",
  domain:
    body.domain === undefined
      ? (page?.domain ?? null)
      : body.domain === null
        ? null
        : (domainName(body.domain) ?? null),
  is_public: body.is_public === undefined ? (page?.is_public ?? true) : isOn(body.is_public),
});

export async function deletePage(ctx: RequestContext, id: number) {
  const page = await transaction(ctx.pool, async (tx) => {
    const found = await lockPage(tx, ctx.actor, id);
    if (!found || !(await deletePageRow(tx, id))) throw pageNotFound();
    return found;
  });
  return { message: `The status page ${page.name} was deleted with its incidents.` };
}

// Incidents ----------------------------------------------------------------------------------------------------------------

export async function showIncidents(ctx: RequestContext, pageId: number, query: PageQuery) {
  await getPage(ctx, pageId);
  const page = pageOf(query, itemsPerPage);
  const incidents = await listIncidents(ctx.pool, pageId, page);
  return paginated(page, await totalOf(page, incidents, () => countIncidents(ctx.pool, pageId)), incidents);
}

export async function showIncident(ctx: RequestContext, path: IncidentPath): Promise<IncidentRow> {
  await getPage(ctx, path.pageId);
  const incident = await findIncident(ctx.pool, path);
  if (!incident) throw incidentNotFound();
  return incident;
}

export async function openIncident(ctx: RequestContext, pageId: number, body: IncidentBody) {
  const state = body.state ?? "investigating";
  const incidentId = await transaction(ctx.pool, async (tx) => {
    if (!(await lockPage(tx, ctx.actor, pageId))) throw pageNotFound();
    const id = await insertIncident(tx, pageId, { title: body.title, state });
    await insertUpdate(tx, id, { state, text: body.text });
    return id;
  });
  return { message: "The incident is on the status page.", data: await showIncident(ctx, { pageId, incidentId }) };
}

export const renameIncident = (ctx: RequestContext, path: IncidentPath, title: string) =>
  changeIncident(ctx, path, "The incident was renamed.", (tx) => setIncidentTitle(tx, path, title));

export const addUpdate = (ctx: RequestContext, path: IncidentPath, update: UpdateBody) =>
  changeIncident(ctx, path, "The update is on the status page.", async (tx) => {
    await insertUpdate(tx, path.incidentId, update);
    return true;
  });

export const changeUpdate = (ctx: RequestContext, path: IncidentPath, updateId: number, text: string) =>
  changeIncident(ctx, path, "The update was changed.", (tx) => setUpdateText(tx, path.incidentId, updateId, text));

export const deleteUpdate = (ctx: RequestContext, path: IncidentPath, updateId: number) =>
  changeIncident(ctx, path, "The update was deleted.", (tx) => deleteUpdateRow(tx, path.incidentId, updateId));

/** A change of an incident of a page in reach; 404 if `change` finds nothing to change. */
async function changeIncident(
  ctx: RequestContext,
  path: IncidentPath,
  message: string,
  change: (tx: Tx) => Promise<boolean>,
) {
  await transaction(ctx.pool, async (tx) => {
    if (!(await lockPage(tx, ctx.actor, path.pageId))) throw pageNotFound();
    const incident = await findIncident(tx, path);
    if (!incident) throw incidentNotFound();
    refuseChanged(ctx, incident);
    if (!(await change(tx))) throw notFound("The update");
    await followUpdates(tx, path.incidentId);
  });
  return { message, data: await showIncident(ctx, path) };
}

export async function deleteIncident(ctx: RequestContext, path: IncidentPath) {
  await transaction(ctx.pool, async (tx) => {
    if (!(await lockPage(tx, ctx.actor, path.pageId))) throw pageNotFound();
    if (!(await deleteIncidentRow(tx, path))) throw incidentNotFound();
  });
  return { message: "The incident was deleted." };
}
