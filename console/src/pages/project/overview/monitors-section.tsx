import { useQuery } from "@tanstack/react-query";
import type { Monitor, ProjectReply } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { projectMonitors } from "../../../data/projects.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { paths } from "../../../paths.ts";
import { Section } from "../../../ui/section.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import type { Tone } from "../../../ui/tones.ts";
import { UptimeStrip } from "../../../ui/uptime-strip.tsx";

const looks: Record<Monitor["current_status"], { word: string; tone: Tone }> = {
  up: { word: "Up", tone: "ok" },
  down: { word: "Down", tone: "bad" },
  pending: { word: "Not checked yet", tone: "idle" },
};

const columns: readonly Column<Monitor>[] = [
  { id: "name", label: "Name", grow: true, render: ({ name }) => <span dir="auto">{name}</span> },
  {
    id: "state",
    label: "State",
    render: ({ current_status: state, is_active }) =>
      is_active ? <StateIcon {...looks[state]} state={state} /> : <StateIcon word="Off" tone="idle" state="off" />,
  },
  { id: "checks", label: "Last checks", phone: "hidden", render: ({ recent }) => <Checks checks={recent} /> },
  { id: "day", label: "24 h", align: "end", phone: "labelled", render: ({ uptime_24h }) => percent(uptime_24h) },
  { id: "week", label: "7 d", align: "end", phone: "labelled", render: ({ uptime_7d }) => percent(uptime_7d) },
];

function Checks({ checks }: { checks: Monitor["recent"] }) {
  if (checks.length === 0) return <span className="text-text-3">–</span>;
  const failed = checks.filter(({ ok }) => !ok).length;
  const marks = checks.map(({ ok, ms }) => ({
    tone: ok ? ("ok" as const) : ("bad" as const),
    label: ms === null ? "No answer" : `${ms} ms`,
  }));
  return <UptimeStrip marks={marks} label={`Last ${checks.length} checks: ${failed} failed`} height={16} />;
}

const percent = (value: number | null): string =>
  value === null ? "–" : `${value.toFixed(2).replace(/\.?0+$/, "")} %`;

export function MonitorsSection({ project }: { project: ProjectReply }) {
  const monitors = useQuery(projectMonitors(useOrganization(), project.id));
  return (
    <Section title="Monitors">
      <Loaded query={monitors} what="The monitors could not be read." rows={2}>
        {({ data }) => <Monitors monitors={data} />}
      </Loaded>
    </Section>
  );
}

function Monitors({ monitors }: { monitors: readonly Monitor[] }) {
  const o = useOrganization();
  if (monitors.length === 0) return <p className="text-text-2">Nothing watches this project.</p>;
  return (
    <SmallTable
      label="Monitors"
      columns={columns}
      rows={monitors}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.monitor(o, id)}
    />
  );
}
