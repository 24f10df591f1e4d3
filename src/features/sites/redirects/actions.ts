import { isDeepStrictEqual } from "node:util";
import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import { inSync } from "../../../engine/reconcile/target.ts";
import { findCircle, ruleError } from "../../../host/nginx/redirects.ts";
import { refuseChanged } from "../../../http/expected.ts";
import type { RequestContext } from "../../../http/route.ts";
import { isOn } from "../../../http/schemas.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { getProject } from "../../projects/actions.ts";
import { emitUpdated } from "../../projects/events.ts";
import { namesOf, redirectRule } from "../../projects/on-server.ts";
import { lockProject } from "../../projects/queries.ts";
import { writeRedirects } from "../../site-records/queries.ts";
import type { RedirectRow, SiteRow } from "../../site-records/schema.ts";
import { answer, type Changed, followed } from "../answers.ts";
import { beginSiteChange, listSiteSyncs } from "../publish.ts";
import { importedFrom } from "./import.ts";
import { mostRedirects, type RedirectsImport, type RedirectsRequest } from "./schema.ts";

export async function showRedirects(ctx: RequestContext, id: number) {
  const { site, updated_at } = await getProject(ctx, id);
  const syncs = await listSiteSyncs(ctx.pool, [id]);
  return { redirects: site.redirects, updated_at, sync: syncs.get(id) ?? inSync };
}

export async function replaceRedirects(ctx: RequestContext, id: number, body: Static<typeof RedirectsRequest>) {
  const changed = await change(ctx, id, () => ({ redirects: body.redirects.map(storedOf) }));
  return answer(200, changed, "The redirects were replaced", { data: changed.project.site.redirects });
}

const storedOf = ({
  match = "exact",
  from,
  to = null,
  status,
  keeps_query = true,
}: Static<typeof RedirectsRequest>["redirects"][number]): RedirectRow => ({
  ...{ match, from, to },
  status: status ?? (to === null ? 410 : 301),
  keeps_query: isOn(keeps_query),
});

/** Adds the redirects of a text. Lines that are not supported are left out, and returned. */
export async function importRedirects(ctx: RequestContext, id: number, body: Static<typeof RedirectsImport>) {
  const { redirects: found, ignored } = importedFrom(body.format, body.text);
  const isReplaced = isOn(body.replace ?? false);
  const changed = await change(ctx, id, (present) => ({
    redirects: [...(isReplaced ? [] : present), ...found],
    field: "text",
  }));
  const what = `${found.length} ${found.length === 1 ? "redirect was" : "redirects were"} imported`;
  const left =
    ignored.length === 0 ? "" : ` without ${ignored.length} ${ignored.length === 1 ? "line" : "lines"} of the text`;
  const { redirects } = changed.project.site;
  return answer(200, changed, what + left, { data: redirects, imported: found.length, ignored });
}

/** Changes the redirects, and waits for the web server. What it rejects is taken back (`domains/changes.ts`). */
async function change(
  ctx: RequestContext,
  id: number,
  decide: (present: RedirectRow[]) => { redirects: RedirectRow[]; field?: string },
): Promise<Changed> {
  const { project, open } = await transaction(ctx.pool, async (tx) => {
    const before = await lockProject(tx, ctx.actor, id);
    if (!before) throw notFound("The project");
    refuseChanged(ctx, before);
    const { redirects: replaced } = before.site;
    const { redirects, field } = decide(replaced);
    refuseErrors(redirectsErrors(before.site, redirects), field);
    const project = { ...before, site: { ...before.site, redirects } };
    if (isDeepStrictEqual(replaced, redirects)) return { project, open: undefined };
    await writeRedirects(tx, id, redirects);
    await emitUpdated(tx, project);
    if (!project.placement.is_prepared) return { project, open: undefined };
    return { project, open: await beginSiteChange(tx, ctx, project, { before: { redirects: replaced } }) };
  });
  return { project, report: await followed(ctx, open) };
}

/** `field`: the one of the request that the redirects came in; undefined: they are the request's own. */
function refuseErrors(errors: FieldErrors, field?: string): void {
  const [first] = Object.values(errors);
  if (first !== undefined) throw invalid(field === undefined ? errors : { [field]: first });
}

/** What is wrong with the redirects of a site, by their fields. */
function redirectsErrors(site: SiteRow, redirects: readonly RedirectRow[]): FieldErrors {
  if (redirects.length > mostRedirects) return { redirects: `A project can have ${mostRedirects} redirects.` };
  const rules = redirects.map(redirectRule);
  const wrong = rules.flatMap((rule, at) => {
    const error = ruleError(rule);
    return error ? [[`redirects.${at}.${error.field}`, error.sentence] as const] : [];
  });
  if (wrong.length > 0) return Object.fromEntries(wrong);
  const circle = findCircle(namesOf(site), rules);
  if (circle === undefined) return {};
  return { [`redirects.${circle}.to`]: `${redirects[circle]?.from} leads in a circle, or through too many redirects.` };
}
