import { isDeepStrictEqual } from "node:util";
import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import { inSync } from "../../../engine/reconcile/target.ts";
import { domainError, domainName, redirectTarget } from "../../../host/domain.ts";
import { refuseChanged } from "../../../http/expected.ts";
import { pageOf, paginated } from "../../../http/pagination.ts";
import { endRehearsal } from "../../../http/rehearsal.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { getProject } from "../../projects/actions.ts";
import { lockProject } from "../../projects/queries.ts";
import type { PlacedProject } from "../../projects/schema.ts";
import { claimDomains, namesErrors, reservedError } from "../../site-records/names.ts";
import type { DomainSet } from "../../site-records/schema.ts";
import { answer, type Changed, followed } from "../answers.ts";
import { beginSiteChange, listSiteSyncs } from "../publish.ts";
import { domainCapabilities } from "./capabilities.ts";
import { emitDomains } from "./changes.ts";
import { countDomains, listChecks, listDomains } from "./queries.ts";
import {
  redirectError,
  setErrors,
  withDomain,
  withDomains,
  withoutDomain,
  withPrimary,
  withRedirect,
} from "./rules.ts";
import {
  type DomainOfProject,
  type DomainRequest,
  type DomainsRequest,
  maxDomains,
  type RedirectRequest,
} from "./schema.ts";

const domainsPerPage = 25;

export async function showDomains(ctx: RequestContext, query: { page?: unknown; per_page?: unknown }) {
  const page = pageOf(query, domainsPerPage);
  const [domains, total] = await Promise.all([
    listDomains(ctx.pool, ctx.actor, page),
    countDomains(ctx.pool, ctx.actor),
  ]);
  return paginated(page, total, await entriesOf(ctx, domains));
}

export async function showDomainsOf(ctx: RequestContext, projectId: number) {
  const project = await getProject(ctx, projectId);
  return { data: await listEntries(ctx, project) };
}

const listEntries = (ctx: RequestContext, { id, site }: PlacedProject) =>
  entriesOf(
    ctx,
    site.domains.map((domain) => ({ ...domain, project_id: id })),
  );

async function entriesOf(ctx: RequestContext, domains: readonly DomainOfProject[]) {
  const [syncs, checks] = await Promise.all([
    listSiteSyncs(
      ctx.pool,
      domains.map((domain) => domain.project_id),
    ),
    listChecks(
      ctx.pool,
      domains.map((domain) => domain.id),
    ),
  ]);
  return domains.map((domain) => ({
    ...domain,
    is_primary: domain.is_primary ? (1 as const) : (0 as const),
    is_active: domain.is_active ? (1 as const) : (0 as const),
    sync: syncs.get(domain.project_id) ?? inSync,
    dns: checks.get(domain.id) ?? null,
  }));
}

// The verbs ----------------------------------------------------------------------------------------------------------------

export async function addDomain(ctx: RequestContext, projectId: number, body: Static<typeof DomainRequest>) {
  const name = domainName(body.domain) as string;
  const changed = await change(ctx, projectId, "domain", (set) => {
    if (set.domains.some((each) => each.domain_name === name)) throw invalid({ domain: alreadyThere(name) });
    return withDomain(set, name);
  });
  const added = (await listEntries(ctx, changed.project)).find((each) => each.domain_name === name);
  if (!added) throw notFound("The domain");
  return answer(201, changed, `${name} was added`, { domain: added });
}

export async function replaceDomains(ctx: RequestContext, projectId: number, body: Static<typeof DomainsRequest>) {
  const names = body.domains.map((text) => domainName(text) as string);
  const changed = await change(ctx, projectId, "domains", (set) => withDomains(set, names, body.www_redirect));
  const { project } = changed;
  const primary_domain = project.site.domains.find((each) => each.is_primary)?.domain_name ?? "";
  const data = { domains: await listEntries(ctx, project), www_redirect: project.site.www_redirect, primary_domain };
  return answer(200, changed, "The domains were replaced", { data });
}

export async function setPrimary(ctx: RequestContext, projectId: number, domainId: number) {
  const changed = await change(ctx, projectId, "domain", (set) => {
    const domain = domainOf(set, domainId);
    if (domain.redirect_to === null) return withPrimary(set, domain);
    throw domainCapabilities.refusal("make_primary", "redirects", domain);
  });
  const { project } = changed;
  const name = project.site.domains.find((each) => each.is_primary)?.domain_name;
  return answer(200, changed, `${name} is the primary domain`, { redirect_setting: project.site.www_redirect });
}

export async function setRedirect(
  ctx: RequestContext,
  projectId: number,
  domainId: number,
  { redirect_to: text, redirect_status_code: status }: Static<typeof RedirectRequest>,
) {
  const changed = await change(ctx, projectId, "redirect_to", (set) => {
    const domain = domainOf(set, domainId);
    if (domain.is_primary && text !== null) throw domainCapabilities.refusal("redirect", "is_primary", domain);
    endRehearsal();
    const target = text === null ? null : (redirectTarget(text) as string);
    const redirect_status_code = target === null ? null : (status ?? domain.redirect_status_code);
    return withRedirect(set, domainId, { redirect_to: target, redirect_status_code });
  });
  const name = changed.project.site.domains.find((each) => each.id === domainId)?.domain_name;
  const what = text === null ? `${name} serves the project` : `${name} redirects to ${redirectTarget(text)}`;
  return answer(200, changed, what, { domains: await listEntries(ctx, changed.project) });
}

export async function deleteDomain(ctx: RequestContext, projectId: number, domainId: number) {
  let name = "";
  const changed = await change(ctx, projectId, "domain", (set) => {
    const domain = domainOf(set, domainId);
    name = domain.domain_name;
    if (set.domains.length === 1) throw domainCapabilities.refusal("delete", "is_only_one", domain);
    if (domain.is_primary) throw domainCapabilities.refusal("delete", "is_primary", domain);
    return withoutDomain(set, domainId);
  });
  return answer(200, changed, `${name} was deleted`, {});
}

function domainOf({ domains }: DomainSet, id: number) {
  const domain = domains.find((each) => each.id === id);
  if (!domain) throw notFound("The domain");
  return domain;
}

const alreadyThere = (name: string) => `The domain ${name} belongs to this project already.`;

// Errors of a request, beyond its schema -----------------------------------------------------------------------------------

export async function checkDomain(
  ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Partly<Static<typeof DomainRequest>> },
): Promise<FieldErrors> {
  const sentence = body.domain === undefined ? undefined : domainError(body.domain);
  // Of a project out of reach, the answer is 404 for any body; the change finds out by itself.
  if (body.domain === undefined || sentence !== undefined) await getProject(ctx, params.id);
  return sentence === undefined ? {} : { domain: sentence };
}

export async function checkDomains(
  ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Partly<Static<typeof DomainsRequest>> },
): Promise<FieldErrors> {
  const project = await getProject(ctx, params.id);
  const texts = body.domains;
  // The schema reports anything but a list of texts, or a list that is too long.
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > maxDomains) return {};
  const wrong = texts.flatMap((text, index) => {
    const sentence = typeof text === "string" ? domainError(text) : undefined;
    return sentence === undefined ? [] : [[`domains.${index}`, sentence] as const];
  });
  if (wrong.length > 0 || texts.some((text) => typeof text !== "string")) return Object.fromEntries(wrong);
  const names = texts.map((text) => domainName(text) as string);
  const set = withDomains(project.site, names, body.www_redirect);
  const errors = setErrors(set, "domains");
  if (Object.keys(errors).length > 0) return errors;
  const reserved = reservedError(ctx.config, set);
  return reserved ? { domains: reserved } : namesErrors(ctx.pool, project.id, set, "domains");
}

export async function checkRedirect(
  ctx: RequestContext,
  { params, body }: { params: { projectId: number; domainId: number }; body: Partly<Static<typeof RedirectRequest>> },
): Promise<FieldErrors> {
  domainOf((await getProject(ctx, params.projectId)).site, params.domainId);
  const sentence = typeof body.redirect_to === "string" ? redirectError(body.redirect_to) : undefined;
  return sentence === undefined ? {} : { redirect_to: sentence };
}

// Changing, and waiting for the server ------------------------------------------------------------------------------------

/**
 * Changes the domains of a project and waits for its web server. If the server refuses, the end of the publication has reverted
 * the change (changes.ts), and the request is rejected with the result and the server's message.
 */
async function change(
  ctx: RequestContext,
  projectId: number,
  field: string,
  decide: (set: DomainSet) => DomainSet,
): Promise<Changed> {
  const { project, open } = await transaction(ctx.pool, async (tx) => {
    const before = await lockProject(tx, ctx.actor, projectId);
    if (!before) throw notFound("The project");
    refuseChanged(ctx, before);
    const set = decide(before.site);
    const errors = setErrors(set, field);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    const reserved = reservedError(ctx.config, set);
    if (reserved) throw invalid({ [field]: reserved });
    const site = { ...before.site, ...(await claimDomains(tx, projectId, set, field)) };
    const project = { ...before, site };
    await emitDomains(tx, project);
    const { www_redirect, domains } = before.site;
    const isChanged = !isDeepStrictEqual([www_redirect, domains], [site.www_redirect, site.domains]);
    if (!project.placement.is_prepared || !isChanged) return { project, open: undefined };
    return { project, open: await beginSiteChange(tx, ctx, project, { before: { www_redirect, domains } }) };
  });
  return { project, report: await followed(ctx, open) };
}
