import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useSearchParams } from "react-router";
import { serverApps } from "../../../data/apps.ts";
import { prefetchOf } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { server } from "../../../data/servers.ts";
import { AppCatalogue } from "../../../parts/app-catalogue.tsx";
import { Section } from "../../../ui/section.tsx";
import { useServer } from "../use-server.ts";
import { Install } from "./install.tsx";
import { InstalledSection } from "./installed-section.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.server)];
  return prefetchOf(server(o, id), serverApps(o, id));
};

/** The applications on a server, and those that it can have: the address names the one that is being installed. */
export function Component(): ReactNode {
  const server = useServer();
  const slug = useSearchParams()[0].get("app");
  const mayInstall = useMay("project:create");
  if (slug !== null && mayInstall) return <Install key={slug} server={server} slug={slug} />;
  return (
    <div className="flex flex-col gap-8">
      <InstalledSection serverId={server.id} />
      <Section title="Catalog" description="An application is installed as a project, without a repository.">
        <AppCatalogue serverId={server.id} />
      </Section>
    </div>
  );
}
