import type { Sync } from "../../../contract/types.ts";
import { Time } from "../ui/time.tsx";

/** What the server has not taken yet; nothing when it matches the record. */
export function SyncNote({ sync }: { sync: Sync }) {
  if (sync.state === "applied") return null;
  if (sync.state === "pending") return <span className="text-run">The server is being changed</span>;
  return (
    <span className="min-w-0 text-bad [overflow-wrap:anywhere]">
      The server has not taken the change{sync.error ? `: ${sync.error}` : "."}
      {sync.retry_at && (
        <>
          {" Next attempt "}
          <Time at={sync.retry_at} />
        </>
      )}
    </span>
  );
}
