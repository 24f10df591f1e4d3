import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useOrganization } from "../../../data/organization.ts";
import { serverServices } from "../../../data/servers.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { useServer } from "../use-server.ts";
import { ServiceList } from "./service-list.tsx";

/** What the setup installed on the server. Not read ahead: the server is asked, which takes seconds when it does not answer. */
export function Component(): ReactNode {
  const server = useServer();
  const services = useQuery({ ...serverServices(useOrganization(), server.id), staleTime: 0 });
  return (
    <Section
      title="Services"
      description={
        services.data && (
          <>
            As of <Time at={services.dataUpdatedAt} />
          </>
        )
      }
      actions={
        <Button icon={RotateCw} isPending={services.isFetching} onPress={() => void services.refetch()}>
          Look again
        </Button>
      }
    >
      <Loaded query={services} what="The services could not be read." rows={4}>
        {({ data }) => <ServiceList services={data} serverId={server.id} />}
      </Loaded>
    </Section>
  );
}
