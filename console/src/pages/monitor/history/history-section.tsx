import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { Deployment } from "../../../../../contract/types.ts";
import type { HistoryRange } from "../../../data/history-ranges.ts";
import { deploymentsIn, type MonitorDetails, type MonitorHistory, monitorHistory } from "../../../data/monitors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { formatNumber, formatPercent } from "../../../ui/format.ts";
import { Section } from "../../../ui/section.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { TimeChart } from "../../../ui/time-chart/time-chart.tsx";
import { chartDataOf, timeText } from "./chart-data.ts";
import { DaysStrip } from "./days-strip.tsx";
import { LiveList } from "./live-list.tsx";

const ranges: readonly { id: HistoryRange; label: string }[] = [
  { id: "24h", label: "24 h" },
  { id: "7d", label: "7 d" },
  { id: "30d", label: "30 d" },
  { id: "90d", label: "90 d" },
];

/** The range, which is in the address. */
function useRange(): [HistoryRange, (range: HistoryRange) => void] {
  const [search, setSearch] = useSearchParams();
  const given = ranges.find(({ id }) => id === search.get("range"));
  const set = (range: HistoryRange) =>
    setSearch((now) => ({ ...Object.fromEntries(now), range }), { replace: true, preventScrollReset: true });
  return [given?.id ?? "24h", set];
}

/** What the checks found over time. */
export function HistorySection({ monitor: { id, type, project_id } }: { monitor: MonitorDetails }) {
  const o = useOrganization();
  const [range, setRange] = useRange();
  const history = useQuery({ ...monitorHistory(o, id, range), placeholderData: keepPreviousData });
  const deployments = useQuery({ ...deploymentsIn(o, project_id, range), enabled: type === "http" }).data;
  return (
    <Section
      title={type === "http" ? "Response time" : "Availability"}
      description={history.data && uptimeText(history.data)}
      actions={<Segments label="Range" options={ranges} value={range} onChange={setRange} />}
    >
      <Loaded query={history} what="The history could not be read." rows={4}>
        {(data) =>
          type === "http" ? (
            <ResponseTimes history={data} range={range} deployments={deployments ?? noDeployments} />
          ) : (
            <DaysStrip history={data} />
          )
        }
      </Loaded>
    </Section>
  );
}

const noDeployments: readonly Deployment[] = [];

const uptimeText = ({ uptime }: MonitorHistory): string =>
  uptime === null ? "Not observed in this time." : `Up ${formatPercent(uptime)} of the observed time.`;

interface ResponseTimesProps {
  history: MonitorHistory;
  range: HistoryRange;
  deployments: readonly Deployment[];
}

const formatMs = (value: number): string => `${formatNumber(Math.round(value))} ms`;

export function ResponseTimes({ history, range, deployments }: ResponseTimesProps) {
  const data = useMemo(() => chartDataOf(history, deployments, Date.now()), [history, deployments]);
  const formatTime = useMemo(() => timeText(range), [range]);
  if (history.points.length === 0) return <p className="text-text-2">Nothing was checked in this time.</p>;
  return (
    <>
      <TimeChart label="Response time" data={data} format={formatMs} formatTime={formatTime} />
      <LiveList deployments={deployments} />
    </>
  );
}
