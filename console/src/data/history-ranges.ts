/** The days until now that a monitor's history can show, and what a point of each stands for. */
export const historyRanges = {
  "24h": { days: 1, resolution: "hour" },
  "7d": { days: 7, resolution: "hour" },
  "30d": { days: 30, resolution: "hour" },
  "90d": { days: 90, resolution: "day" },
} as const;
export type HistoryRange = keyof typeof historyRanges;
