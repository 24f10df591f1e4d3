import { Sparkline } from "../src/ui/sparkline.tsx";
import { UptimeStrip } from "../src/ui/uptime-strip.tsx";

const values = Array.from({ length: 60 }, (_, index) =>
  index > 30 && index < 36 ? null : 60 + ((index * 37) % 23) * 4,
);

export const states = {
  sparkline: () => <Sparkline values={values} label="Latency of the last 60 checks: 60 to 148 ms" />,
  "sparkline with failures": () => (
    <Sparkline
      values={values}
      failed={[12, 31, 32, 59]}
      label="Latency of the last 60 checks: 60 to 148 ms, 4 failed"
    />
  ),
  "uptime strip": () => (
    <UptimeStrip
      label="Last 60 checks: 3 failed"
      marks={values.map((value, index) => ({
        tone: value === null ? "idle" : index % 23 === 7 ? "bad" : "ok",
        label: `Check ${index}`,
      }))}
    />
  ),
};
