import type { MonitorDetails } from "../../../data/monitors.ts";
import { formatDuration } from "../../../ui/format.ts";
import { StateIcon } from "../../../ui/state-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Tone } from "../../../ui/tones.ts";
import { Printed } from "../printed.tsx";

type Report = NonNullable<MonitorDetails["last_ping"]>;

const looks: Record<Report["kind"], { word: string; tone: Tone }> = {
  success: { word: "Success", tone: "ok" },
  fail: { word: "Failure", tone: "bad" },
  start: { word: "Running", tone: "run" },
};

/** The newest report; while a run is under way, with the result of the one before. */
export function LastReport({ monitor: { last_ping: report, last_ping_at: at } }: { monitor: MonitorDetails }) {
  if (!report || !at) return <p className="text-text-2">Nothing was reported yet.</p>;
  const { kind, exit_status: exit, duration_ms: duration, body } = report;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <StateIcon {...looks[kind]} state={kind} />
        <Time at={at} />
        {exit !== null && <span className="text-text-2">exit status {exit}</span>}
        {duration !== null && <span className="text-text-2">ran for {formatDuration(duration)}</span>}
      </p>
      {body && <Printed text={body} />}
    </div>
  );
}
