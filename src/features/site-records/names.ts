import { type Config, reservedDomains } from "../../config.ts";
import type { Db } from "../../db/sql.ts";
import { wwwForms } from "../../host/domain.ts";
import { type FieldErrors, invalid } from "../../lib/errors.ts";
import { claimNames, insertedSite, type NewSite, takenNames, writeDomains } from "./queries.ts";
import type { DomainSet } from "./schema.ts";

/** All names of a project with these domains, as the database claims them for it. */
export const namesClaimed = ({ domains, www_redirect }: DomainSet): string[] => [
  ...new Set(
    domains.flatMap(({ domain_name: name, redirect_to: target }) => {
      const { served, other } = wwwForms(name, target === null ? www_redirect : 0);
      return other === undefined ? [name] : [name, served, other];
    }),
  ),
];

/** Why a project with these domains cannot have one of its names, if it leads to Longshore itself. */
export function reservedError(
  config: Pick<Config, "reservedDomains" | "domains" | "thisMachine" | "publicUrl">,
  set: DomainSet,
): string | undefined {
  const reserved = new Set(reservedDomains(config));
  const name = namesClaimed(set).find((each) => reserved.has(each));
  return name === undefined ? undefined : `${name} leads to Longshore itself, so no project can have it.`;
}

export const nameTaken = (name: string): string => `The domain ${name} belongs to another project.`;

/** The error of the first name that belongs to another project than this one, under `field`. */
export async function namesErrors(db: Db, projectId: number, set: DomainSet, field: string): Promise<FieldErrors> {
  const [taken] = await takenNames(db, namesClaimed(set), projectId);
  return taken === undefined ? {} : { [field]: nameTaken(taken) };
}

/** Makes `set` the domains of a project, and returns them as they are stored. Throws `invalid` on `field` for a name that is taken. */
export async function claimDomains(tx: Db, projectId: number, set: DomainSet, field: string) {
  const errors = await namesErrors(tx, projectId, set, field);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return claiming(field, async () => {
    const stored = await writeDomains(tx, projectId, set);
    await claimNames(tx);
    return stored;
  });
}

/** Inserts the site of a new project. Throws `invalid` on the domain if a name is taken. */
export const claimSite = (tx: Db, projectId: number, site: NewSite): Promise<void> =>
  claiming("domain", async () => {
    if (!(await insertedSite(tx, projectId, site))) throw invalid({ domain: nameTaken(site.domain) });
    await claimNames(tx);
  });

/** Of several at once that claim a name, the losers' work is rejected with an error on its `field`. */
async function claiming<Result>(field: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const name = nameLost(error as { code?: string; constraint?: string; detail?: string });
    throw name === undefined ? error : invalid({ [field]: nameTaken(name) });
  }
}

// Of two at once, the table's own index stops the one that adds the same domain, and the claims the one that adds its other form.
function nameLost({ code, constraint, detail = "" }: { code?: string; constraint?: string; detail?: string }) {
  if (code !== "23505") return undefined;
  if (constraint === "domain_names_pkey") return detail;
  return constraint === "domains_domain_name_key" ? /\)=\((.*)\)/.exec(detail)?.[1] : undefined;
}
