import { useQuery } from "@tanstack/react-query";
import type { CatalogApp } from "../../../../../contract/types.ts";
import { serverApps } from "../../../data/apps.ts";
import { useOrganization } from "../../../data/organization.ts";
import type { WholeServer } from "../../../data/servers.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { paths } from "../../../paths.ts";
import { Empty } from "../../../ui/empty.tsx";
import { ButtonLink, Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { InstallForm } from "./install-form.tsx";

interface Props {
  server: WholeServer;
  slug: string;
}

/** The form that installs one application of the catalog. */
export function Install({ server, slug }: Props) {
  const catalog = paths.server(useOrganization(), server.id, "apps");
  const apps = useQuery(serverApps(useOrganization(), server.id));
  return (
    <Loaded query={apps} what="The catalog could not be read." rows={6}>
      {({ data }) => {
        const app = data.find((each) => each.slug === slug);
        return app ? <Known app={app} serverId={server.id} catalog={catalog} /> : <Unknown catalog={catalog} />;
      }}
    </Loaded>
  );
}

function Known({ app, serverId, catalog }: { app: CatalogApp; serverId: number; catalog: string }) {
  const reason = app.available ? undefined : app.unavailable_reasons.join(" ");
  return (
    <Section
      title={`Install ${app.name}`}
      description={app.summary}
      actions={<Link href={catalog}>All applications</Link>}
    >
      {reason && (
        <Notice tone="warn" title={`${app.name} cannot be installed on this server`}>
          {reason}
        </Notice>
      )}
      <InstallForm app={app} serverId={serverId} disabledReason={reason} />
    </Section>
  );
}

const Unknown = ({ catalog }: { catalog: string }) => (
  <Empty title="There is no such application" action={<ButtonLink href={catalog}>All applications</ButtonLink>}>
    The catalog has none of this name.
  </Empty>
);
