import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { Setup } from "../../../../../contract/types.ts";
import { messageOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { serverActions, type WholeServer } from "../../../data/servers.ts";
import { useWrite } from "../../../data/write.ts";
import { Button } from "../../../ui/button.tsx";
import { useServerRefusals } from "../use-server.ts";

const touches = ["server", "server_setup", "servers"];

/**
 * A setup that gave up is retried, and so is connecting once the attempts at it have ended; a setup that ended is run again from
 * its beginning.
 */
export function SetupActions({ server, setup }: { server: WholeServer; setup: Setup }) {
  const refusal = useServerRefusals(server);
  const canRetry = useQuery(serverActions(useOrganization(), server.id)).data?.data.retry_setup.is_allowed;
  const retry = useWrite("POST /api/v1/servers/{id}/setup/retry", { touches });
  const run = useWrite("POST /api/v1/servers/{id}/setup/run", { touches });
  if (!useMay("server:update")) return null;
  const isUnfinished = ["failed", "stalled", "not_recorded"].includes(setup.state);
  if (server.state === "installing" && !canRetry) return null;
  const { name, write, reason } = isUnfinished
    ? {
        name: server.state === "installing" ? "Connect again" : "Retry setup",
        write: retry,
        reason: refusal("retry_setup"),
      }
    : { name: "Run again", write: run, reason: refusal("run_setup") };
  return (
    <>
      {write.error && (
        <p role="alert" className="max-w-96 text-bad">
          {messageOf(write.error)}
        </p>
      )}
      <Button
        icon={RotateCw}
        onPress={() => write.mutate({ params: { id: server.id } })}
        isPending={write.isPending}
        disabledReason={reason}
      >
        {name}
      </Button>
    </>
  );
}
