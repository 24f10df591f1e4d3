import type { Deployment } from "../../../../../contract/types.ts";
import { type HistoryRange, historyRanges } from "../../../data/history-ranges.ts";
import type { MonitorHistory } from "../../../data/monitors.ts";
import { formatClock, formatDay, formatDuration, formatMoment, formatNumber } from "../../../ui/format.ts";
import type { TimeChartData } from "../../../ui/time-chart/chart-data.ts";

type Point = MonitorHistory["points"][number];
type Switched = Pick<Deployment, "id" | "commit_id" | "ended_at" | "process_type" | "rolling_of">;

const stepMs = { hour: 3_600_000, day: 86_400_000 } as const;

/** The history as it is drawn: a value for each hour or day of the range, whether something was checked in it or not. */
export function chartDataOf(history: MonitorHistory, deployments: readonly Switched[], now: number): TimeChartData {
  const times = timesOf(history, now);
  const points = new Map(history.points.map((point) => [Date.parse(point.at), point]));
  const lives = deployments.filter(({ rolling_of, ended_at }) => rolling_of === null && ended_at !== null);
  const values = (name: "p50_ms" | "p95_ms") => times.map((at) => points.get(at)?.[name] ?? null);
  return {
    times,
    series: [
      { label: "p50", values: values("p50_ms") },
      { label: "p95", values: values("p95_ms") },
    ],
    shades: shadesOf(history, now),
    marks: lives.map(({ ended_at }) => Date.parse(ended_at as string)),
    notes: times.map((at) => noteOf(points.get(at), livesIn(lives, at, at + stepMs[history.resolution]))),
  };
}

/** The beginning of each hour or day, up to the present one. */
function timesOf({ from, to, resolution }: MonitorHistory, now: number): number[] {
  const [begin, end, step] = [Date.parse(from), Math.min(Date.parse(to), now), stepMs[resolution]];
  return Array.from({ length: Math.max(Math.ceil((end - begin) / step), 0) }, (_, index) => begin + index * step);
}

/** What was not up. An interval without an end lasts until now. */
const shadesOf = ({ states }: MonitorHistory, now: number): TimeChartData["shades"] =>
  states.flatMap(({ state, from, to }) =>
    state === "up"
      ? []
      : [{ from: Date.parse(from), to: to === null ? now : Date.parse(to), tone: state === "down" ? "bad" : "idle" }],
  );

const livesIn = (lives: readonly Switched[], from: number, to: number): Switched[] =>
  lives.filter(({ ended_at }) => {
    const at = Date.parse(ended_at as string);
    return at >= from && at < to;
  });

function noteOf(point: Point | undefined, lives: readonly Switched[]): string | undefined {
  const texts = [...(point ? pointTexts(point) : ["nothing was checked"]), ...lives.map(liveText)];
  return texts.length === 0 ? undefined : texts.join(", ");
}

/** What went wrong in an hour or a day; nothing when all is well. */
export function pointTexts({ checks, ok, unobserved, down_seconds: down }: Point): string[] {
  const failed = checks - ok;
  return [
    down > 0 && `down for ${formatDuration(down * 1_000)}`,
    failed > 0 && `${formatNumber(failed)} of ${formatNumber(checks)} checks failed`,
    unobserved > 0 && `${formatNumber(unobserved)} not made`,
  ].filter((text) => text !== false);
}

const verbs: Record<Deployment["process_type"], string> = {
  deployment: "deployed",
  rollback: "rolled back to",
  recycle: "restarted",
  move: "moved",
};

const liveText = ({ process_type: kind, commit_id: commit, id }: Switched): string =>
  `${verbs[kind]} ${commit?.slice(0, 7) ?? `#${id}`}`;

/** "12 Nov, 10:00 to 11:00"; a day is one of UTC. */
export function timeText(range: HistoryRange): (at: number) => string {
  if (historyRanges[range].resolution === "day") return (at) => formatDay(at + stepMs.day / 2);
  return (at) => `${formatMoment(at)} to ${formatClock(at + stepMs.hour)}`;
}
