import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { Setup } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { serverSetup } from "../../../data/servers.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { LogView } from "../../../parts/log-view/log-view.tsx";
import { setupLog } from "../../../parts/log-view/source.ts";
import { ConnectSection } from "../connect-section.tsx";
import { useServer } from "../use-server.ts";
import { SetupActions } from "./actions.tsx";
import { Attention } from "./attention.tsx";
import { PhaseTable, SlowestTable } from "./phases.tsx";
import { RunSelect } from "./run-select.tsx";
import { SetupSummary } from "./summary.tsx";

/** How the server is connected to and set up: what needs attention first, then where the time went, then what was printed. */
export function Component(): ReactNode {
  const server = useServer();
  const organization = useOrganization();
  const [runId, setRunId] = useRunId();
  const setup = useQuery(serverSetup(organization, server.id, runId));
  return (
    <div className="flex min-w-0 flex-col gap-8">
      {server.connect_command && <ConnectSection server={server} command={server.connect_command} />}
      <Loaded query={setup} what="The setup could not be read." rows={6}>
        {({ data }) => (
          <>
            <SetupSummary
              setup={data}
              actions={
                <>
                  <RunSelect serverId={server.id} runId={runId} onChange={setRunId} />
                  {runId === undefined && <SetupActions server={server} setup={data} />}
                </>
              }
            />
            {data.summary.total > 0 && <Record serverId={server.id} setup={data} runId={runId} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** The setup in the address; undefined: the newest. */
function useRunId(): [number | undefined, (id: number | undefined) => void] {
  const [search, setSearch] = useSearchParams();
  const id = Number(search.get("run"));
  return [
    Number.isSafeInteger(id) && id > 0 ? id : undefined,
    (next) => setSearch(next === undefined ? {} : { run: String(next) }, { replace: true }),
  ];
}

function Record({ serverId, setup, runId }: { serverId: number; setup: Setup; runId: number | undefined }) {
  const organization = useOrganization();
  return (
    <>
      <Attention steps={setup.attention} />
      <div className="grid gap-8 lg:grid-cols-2">
        <PhaseTable phases={setup.phases} />
        {setup.slowest.length > 0 && <SlowestTable steps={setup.slowest} />}
      </div>
      <LogView
        key={setup.run_id ?? 0}
        source={setupLog(organization, serverId, runId)}
        steps={setup.steps ?? []}
        label="Log of the setup"
      />
    </>
  );
}
