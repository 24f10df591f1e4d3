import type { MonitorHistory } from "../../../data/monitors.ts";
import { formatCount, formatDay, formatMoment } from "../../../ui/format.ts";
import { type UptimeMark, UptimeStrip } from "../../../ui/uptime-strip.tsx";
import { pointTexts } from "./chart-data.ts";

type Point = MonitorHistory["points"][number];

const most = 90;

/** Hours or days as bars: whether it was up in all of them. The last ninety, which fit beside each other. */
export function DaysStrip({ history: { points, resolution } }: { history: MonitorHistory }) {
  const shown = points.slice(-most);
  if (shown.length === 0) return <p className="text-text-2">Nothing was reported in this time.</p>;
  const bad = shown.filter(({ down_seconds }) => down_seconds > 0).length;
  const units = formatCount(shown.length, resolution);
  return (
    <UptimeStrip
      label={`Last observed ${units}: ${bad === 0 ? "no outage" : `an outage in ${bad}`}`}
      marks={shown.map((point) => markOf(point, resolution))}
      height={28}
    />
  );
}

function markOf(point: Point, resolution: MonitorHistory["resolution"]): UptimeMark {
  const { at, up_seconds: up, down_seconds: down } = point;
  const time = resolution === "day" ? formatDay(at) : formatMoment(at);
  const text = pointTexts(point).join(", ") || (up > 0 ? "up" : "not observed");
  return { tone: down > 0 ? "bad" : up > 0 ? "ok" : "idle", label: `${time}: ${text}` };
}
