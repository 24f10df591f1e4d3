/** Values over time. The series have a value, or null, for each of the times. */
export interface TimeChartData {
  /** Milliseconds, ascending and evenly spaced. */
  times: readonly number[];
  /** One line, or two with the band between them: the lower and the upper one. */
  series: readonly TimeSeries[];
  /** Periods behind the lines: `bad` for an outage, `idle` where nothing is known. */
  shades: readonly { from: number; to: number; tone: "bad" | "idle" }[];
  /** Moments, as dashed lines. */
  marks: readonly number[];
  /** For each of the times, what else there is to know of it. */
  notes: readonly (string | undefined)[];
}

export interface TimeSeries {
  label: string;
  values: readonly (number | null)[];
}

export const chartHeight = 220;
