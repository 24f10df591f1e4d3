import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useParams } from "react-router";
import type { StatusPage } from "../../../../contract/types.ts";
import { isStatus } from "../../api/errors.ts";
import { prefetchOf } from "../../data/cache.ts";
import { useOrganization } from "../../data/organization.ts";
import { pageNumberIn } from "../../data/page-number.ts";
import { incidents, statusPage } from "../../data/status-pages.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { OpenIncidents } from "../../parts/open-incidents.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Badge } from "../../ui/badge.tsx";
import { Copy } from "../../ui/copy.tsx";
import { ExternalLink } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { AddressesSection } from "./addresses-section.tsx";
import { DeleteSection } from "./delete-section.tsx";
import { IncidentsSection } from "./incidents/incidents-section.tsx";
import { SettingsSection } from "./settings/settings-section.tsx";

export const loader = ({ params, request }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.id)];
  return prefetchOf(statusPage(o, id), incidents(o, id, pageNumberIn(new URL(request.url).searchParams)));
};

/** `…/monitors/status-pages/{id}`: what people write on a status page, where it is, and what it shows. */
export function Component(): ReactNode {
  const id = Number(useParams().id);
  const query = useQuery(statusPage(useOrganization(), id));
  useTitle(query.data?.data.name ?? "Status page");
  if (query.data) return <Whole key={id} page={query.data.data} />;
  return (
    <Without isGone={isStatus(query.error, 404)}>
      <Loaded query={query} what="The status page could not be read.">
        {() => null}
      </Loaded>
    </Without>
  );
}

function Whole({ page }: { page: StatusPage }) {
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <StatusPageHeader page={page} />
      <IncidentsSection page={page} />
      <AddressesSection page={page} />
      <SettingsSection page={page} />
      <DeleteSection page={page} />
    </div>
  );
}

function StatusPageHeader({ page: { name, url, is_public: isPublic, open_incidents: open } }: { page: StatusPage }) {
  return (
    <PageHeader
      title={name}
      parent={{ href: paths.statusPages(useOrganization()), label: "Status pages" }}
      state={open > 0 && <OpenIncidents count={open} />}
      details={
        <>
          <span className="inline-flex min-w-0 items-center gap-1">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {isPublic ? <ExternalLink href={url}>{url}</ExternalLink> : url}
            </span>
            <Copy text={url} label="Copy address" />
          </span>
          {!isPublic && <Badge>Not public</Badge>}
        </>
      }
    />
  );
}

/** While there is nothing to show: it is being read, could not be read, or is not there. */
function Without({ isGone, children }: { isGone: boolean; children: ReactNode }) {
  const parent = { href: paths.statusPages(useOrganization()), label: "Status pages" };
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={isGone ? "There is no such status page" : "Status page"} parent={parent} />
      {isGone ? <p className="text-text-2">It was deleted, or you cannot see it.</p> : children}
    </div>
  );
}
