import type { MonitorDetails } from "../../data/monitors.ts";
import { Notice } from "../../ui/notice.tsx";
import { EventContext } from "./events/event-context.tsx";

/** Why it is down, and what may have caused it. */
export function OutageNotice({ monitor: { current_status, is_flapping, events } }: { monitor: MonitorDetails }) {
  const outage = events.find(({ status, resolved_at }) => status === "down" && resolved_at === null);
  if (current_status === "down" && outage) {
    return (
      <Notice tone="bad" title={<span dir="auto">{outage.message}</span>}>
        <EventContext event={outage} />
      </Notice>
    );
  }
  if (!is_flapping) return null;
  return (
    <Notice tone="warn" title="It changes often">
      Notifications are held back until its state has stayed the same for 30 minutes.
    </Notice>
  );
}
