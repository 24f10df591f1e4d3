import { useState } from "react";
import { AppCatalogue } from "../../parts/app-catalogue.tsx";
import { type AppServer, firstAccepting } from "../../parts/app-servers.ts";
import { Section } from "../../ui/section.tsx";
import { ServerFields } from "./server-fields.tsx";

/** A server, and what it can have of the catalog: what is chosen is installed from the server's page. */
export function ApplicationSource({ servers }: { servers: readonly AppServer[] }) {
  const [chosen, setChosen] = useState<number>();
  const serverId = chosen ?? firstAccepting(servers);
  return (
    <div className="flex flex-col gap-8">
      <ServerFields values={{ server_id: serverId }} set={({ server_id }) => setChosen(server_id)} servers={servers} />
      {serverId !== null && (
        <Section title="Application">
          <AppCatalogue serverId={serverId} />
        </Section>
      )}
    </div>
  );
}
