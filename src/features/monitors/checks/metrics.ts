import { Histogram } from "prom-client";
import { processMetrics } from "../../../lib/metrics.ts";

/** How late the HTTP checks of this process began. */
export const checkLateness = new Histogram({
  name: "longshore_monitor_check_lateness_seconds",
  help: "Time between when a check was due and when it began.",
  buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 30],
  registers: [processMetrics],
});
