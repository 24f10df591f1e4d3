import { useQuery } from "@tanstack/react-query";
import { CircleSlash } from "lucide-react";
import type { CatalogApp } from "../../../contract/types.ts";
import { serverApps } from "../data/apps.ts";
import { useMay } from "../data/me.ts";
import { useOrganization } from "../data/organization.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Loaded } from "./loaded.tsx";

/** The applications of the catalog, and what the server lacks for each. */
export function AppCatalogue({ serverId }: { serverId: number }) {
  const o = useOrganization();
  const apps = useQuery(serverApps(o, serverId));
  const mayInstall = useMay("project:create");
  const hrefOf = mayInstall ? (slug: string) => paths.installApp(o, serverId, slug) : undefined;
  return (
    <Loaded query={apps} what="The catalog could not be read." rows={8}>
      {({ data }) => <CatalogueList apps={data} hrefOf={hrefOf} />}
    </Loaded>
  );
}

interface ListProps {
  apps: readonly CatalogApp[];
  /** The form that installs one; undefined: the account may not. */
  hrefOf: ((slug: string) => string) | undefined;
}

export function CatalogueList({ apps, hrefOf }: ListProps) {
  return (
    <ul aria-label="Catalog" className="border-line border-t">
      {apps.map((app) => (
        <CatalogueRow key={app.slug} app={app} href={hrefOf?.(app.slug)} />
      ))}
    </ul>
  );
}

function CatalogueRow({ app, href }: { app: CatalogApp; href: string | undefined }) {
  const { slug, name, category, summary, available, unavailable_reasons: reasons } = app;
  return (
    <li data-app={slug} className="flex items-start justify-between gap-4 border-line border-b py-3">
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium text-prose">{name}</span>
          <span className="text-meta text-text-3">{category}</span>
        </p>
        <p className="text-text-2">{summary}</p>
        {reasons.map((reason) => (
          <p key={reason} className="flex gap-1.5 text-text-2">
            <CircleSlash aria-hidden size={12} strokeWidth={2} className="mt-1 shrink-0 text-text-3" />
            <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
              {reason}
            </span>
          </p>
        ))}
      </div>
      {href !== undefined && <Install app={app} href={href} reason={available ? undefined : reasons.join(" ")} />}
    </li>
  );
}

function Install({ app, href, reason }: { app: CatalogApp; href: string; reason: string | undefined }) {
  const name = `Install ${app.name}`;
  if (reason === undefined) {
    return (
      <ButtonLink href={href} aria-label={name}>
        Install
      </ButtonLink>
    );
  }
  return (
    <Button aria-label={name} disabledReason={reason}>
      Install
    </Button>
  );
}
