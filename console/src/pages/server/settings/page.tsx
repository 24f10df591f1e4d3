import type { ReactNode } from "react";
import { useServer } from "../use-server.ts";
import { DangerSection } from "./danger-section.tsx";
import { SettingsForm } from "./settings-form.tsx";

/** What a server is called and where it is; apart from that, what interrupts or loses something. */
export function Component(): ReactNode {
  const server = useServer();
  return (
    <div className="flex flex-col gap-8">
      <SettingsForm server={server} />
      <DangerSection server={server} />
    </div>
  );
}
