import type uPlot from "uplot";
import { formatClock, formatDay } from "../format.ts";
import type { TimeChartData } from "./chart-data.ts";

/** What a plot shows now. */
export interface Shown {
  data: TimeChartData;
  format: (value: number) => string;
  onCursor: (index: number | null) => void;
}

type Latest = () => Shown;

/** How uPlot draws a chart: colours are read while it draws, so that it follows the theme. */
export const optionsOf = (size: { width: number; height: number }, latest: Latest): uPlot.Options => ({
  ...size,
  legend: { show: false },
  padding: [12, 8, 0, 0],
  cursor: { y: false, drag: { x: true, y: false }, points: { size: 6, width: 0, fill: () => colour("--text") } },
  scales: { y: { range: (_plot, _least, most) => [0, (most || 100) * 1.1] } },
  series: [{}, ...latest().data.series.map((_, index) => line(index))],
  ...(latest().data.series.length > 1 && { bands: [{ series: [2, 1], fill: () => colour("--line") }] }),
  axes: [timeAxis(), valueAxis(latest)],
  hooks: {
    drawClear: [(plot) => drawShades(plot, latest().data)],
    draw: [(plot) => drawMarks(plot, latest().data)],
    setCursor: [({ cursor }) => latest().onCursor(cursor.idx ?? null)],
  },
});

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const font = (): string => `12px ${getComputedStyle(document.body).fontFamily}`;

/** The first is what one reads, the second the upper edge of a band. */
const line = (index: number): uPlot.Series => ({
  stroke: () => colour(index === 0 ? "--text" : "--control"),
  width: index === 0 ? 1.5 : 1,
  points: { show: true, size: 4, fill: () => colour("--text"), filter: alone },
});

/** The values without a neighbour: no line goes through them. */
function alone(plot: uPlot, index: number): number[] {
  const values = plot.data[index] ?? [];
  return [...values].flatMap((value, at) =>
    value != null && values[at - 1] == null && values[at + 1] == null ? [at] : [],
  );
}

const daySeconds = 86_400;

const timeAxis = (): uPlot.Axis => ({
  ...axis(),
  space: 64,
  grid: { show: false },
  values: (_plot, splits, _axis, _space, step) => splits.map((at) => tickText(at * 1_000, step < daySeconds)),
});

/** The day where one begins. */
function tickText(at: number, hasHours: boolean): string {
  const time = formatClock(at);
  return hasHours && time !== "00:00" ? time : formatDay(at);
}

const valueAxis = (latest: Latest): uPlot.Axis => ({
  ...axis(),
  size: 64,
  space: 40,
  grid: { stroke: () => colour("--line"), width: 1 },
  values: (_plot, splits) => splits.map((value) => latest().format(value)),
});

const axis = (): uPlot.Axis => ({ stroke: () => colour("--text-3"), font: font(), ticks: { show: false }, gap: 8 });

const shadeColours = { bad: "--bad-bg", idle: "--sunken" } as const;
/** An outage of a minute is seen in a month. */
const leastWidth = 2;

function drawShades(plot: uPlot, { shades }: TimeChartData): void {
  const { ctx, bbox } = plot;
  const right = bbox.left + bbox.width;
  ctx.save();
  for (const { from, to, tone } of shades) {
    const begin = Math.max(plot.valToPos(from / 1_000, "x", true), bbox.left);
    const end = Math.min(Math.max(plot.valToPos(to / 1_000, "x", true), begin + leastWidth * devicePixelRatio), right);
    if (end <= begin) continue;
    ctx.fillStyle = colour(shadeColours[tone]);
    ctx.fillRect(begin, bbox.top, end - begin, bbox.height);
    if (tone === "idle") continue;
    ctx.fillStyle = colour("--bad-dot");
    ctx.fillRect(begin, bbox.top, end - begin, 2 * devicePixelRatio);
  }
  ctx.restore();
}

function drawMarks(plot: uPlot, { marks }: TimeChartData): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour("--text-3");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const at of marks) {
    const x = plot.valToPos(at / 1_000, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
