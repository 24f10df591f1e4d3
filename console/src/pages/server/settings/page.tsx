import type { ReactNode } from "react";
import { useServer } from "../use-server.ts";
import { DangerSection } from "./danger-section.tsx";
import { MachineSection } from "./machine/section.tsx";
import { SnapshotsSection } from "./machine/snapshots.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { SshAccessSection } from "./ssh-access/section.tsx";

/** What a server is called and where it is; apart from that, what interrupts or loses something. */
export function Component(): ReactNode {
  const server = useServer();
  return (
    <div className="flex flex-col gap-8">
      <SettingsForm server={server} />
      {server.provider_type !== "custom" && (
        <>
          <MachineSection server={server} />
          <SnapshotsSection server={server} />
        </>
      )}
      <SshAccessSection server={server} />
      <DangerSection server={server} />
    </div>
  );
}
