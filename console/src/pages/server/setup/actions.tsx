import { RotateCw } from "lucide-react";
import type { Setup } from "../../../../../contract/types.ts";
import { messageOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import type { WholeServer } from "../../../data/servers.ts";
import { useWrite } from "../../../data/write.ts";
import { Button } from "../../../ui/button.tsx";
import { useServerRefusals } from "../use-server.ts";

const touches = ["server", "server_setup", "servers"];

/** A setup that gave up, or never began, is retried; one that ended is run again from its beginning. */
export function SetupActions({ server, setup }: { server: WholeServer; setup: Setup }) {
  const refusal = useServerRefusals(server);
  const retry = useWrite("POST /api/v1/servers/{id}/setup/retry", { touches });
  const run = useWrite("POST /api/v1/servers/{id}/setup/run", { touches });
  if (!useMay("server:update")) return null;
  const isUnfinished = ["failed", "stalled", "not_recorded"].includes(setup.state);
  const { name, write, reason } = isUnfinished
    ? { name: "Retry setup", write: retry, reason: refusal("retry_setup") }
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
