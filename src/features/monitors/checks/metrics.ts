/** Upper limits of the classes of lateness, in seconds. */
const limits = [0.1, 0.25, 0.5, 1, 2, 5, 15, 30];

const counts = limits.map(() => 0);
let started = 0;
let sumSeconds = 0;

/** How late the HTTP checks of this process began. */
export const checkMetrics = {
  observe(lateMs: number): void {
    const seconds = lateMs / 1_000;
    started++;
    sumSeconds += seconds;
    for (const [at, limit] of limits.entries()) if (seconds <= limit) counts[at] = (counts[at] ?? 0) + 1;
  },

  /** In the Prometheus text format. */
  lines(): string[] {
    const name = "longshore_monitor_check_lateness_seconds";
    return [
      `# TYPE ${name} histogram`,
      ...limits.map((limit, at) => `${name}_bucket{le="${limit}"} ${counts[at]}`),
      `${name}_bucket{le="+Inf"} ${started}`,
      `${name}_sum ${sumSeconds}`,
      `${name}_count ${started}`,
    ];
  },
};
