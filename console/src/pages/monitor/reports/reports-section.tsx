import { useMay } from "../../../data/me.ts";
import { type MonitorDetails, pingAddress } from "../../../data/monitors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Revealed } from "../../../parts/revealed.tsx";
import { Section } from "../../../ui/section.tsx";
import { LastReport } from "./last-report.tsx";
import { PingAddress } from "./ping-address.tsx";

/** What the job of a heartbeat reported, and how anything else can report in its place. */
export function ReportsSection({ monitor }: { monitor: MonitorDetails }) {
  const o = useOrganization();
  return (
    <Section
      title="Reports"
      description="The server of the job reports by itself. Other programs can use the address too."
    >
      <LastReport monitor={monitor} />
      {useMay("monitor:manage") && (
        <Revealed
          what="ping address"
          ask={() => pingAddress(o, monitor.id)}
          note="A report counts from anyone who has it."
        >
          {(address) => <PingAddress address={address} />}
        </Revealed>
      )}
    </Section>
  );
}
