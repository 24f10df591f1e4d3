import type { MonitorEvent } from "../../../data/monitors.ts";
import { formatDuration, formatNumber } from "../../../ui/format.ts";

type Context = MonitorEvent["context"];

/** What a check or a report found, in words: "HTTP 502", "240 ms", … */
export function findingsOf(context: Context): string[] {
  const { status, latency_ms: latency, failures, exit_status: exit, duration_ms: duration, address } = context;
  return [
    status != null && `HTTP ${status}`,
    latency != null && `${formatNumber(Math.round(latency))} ms`,
    address && `at ${address}`,
    failures !== undefined && failures > 1 && `${formatNumber(failures)} failures in a row`,
    exit != null && `exit status ${exit}`,
    duration != null && `ran for ${formatDuration(duration)}`,
  ].filter((text) => typeof text === "string");
}

const phaseNames: Record<string, string> = {
  dns: "DNS",
  connect: "connection",
  tls: "TLS",
  first_byte: "first byte",
  whole: "whole answer",
};

/** How far the check came, and how long each part took: "DNS 4 ms, connection 12 ms". */
export const phasesText = ({ phases_ms: phases = {} }: Context): string =>
  Object.entries(phaseNames)
    .flatMap(([name, word]) => (phases[name] === undefined ? [] : [`${word} ${formatMs(phases[name])}`]))
    .join(", ");

const formatMs = (ms: number): string => `${formatNumber(Math.round(ms))} ms`;

const kinds: Record<string, string> = {
  deployment: "A deployment",
  rollback: "A rollback",
  recycle: "A restart",
  move: "A move",
};

/** "A deployment went live 2 min 5 s before". */
export function switchText({ process_type, switched_at }: NonNullable<Context["deployment"]>, downAt: string): string {
  const before = Math.max(Date.parse(downAt) - Date.parse(switched_at), 0);
  return `${kinds[process_type] ?? "A deployment"} went live ${formatDuration(before)} before`;
}
