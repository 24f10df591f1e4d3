import type { MonitorImportRequest } from "../../../../contract/types.ts";

export type Source = MonitorImportRequest["source"];

/** Where exports come from, and what each is. */
export const sources: readonly { id: Source; label: string; description: string }[] = [
  { id: "uptime_kuma", label: "Uptime Kuma", description: "Its backup: a JSON file with monitorList." },
  { id: "healthchecks", label: "Healthchecks", description: "The answer of its API to GET /api/v3/checks/." },
];

export type ReadExport = { data: Record<string, unknown>; error?: undefined } | { error: string };

/** The export as the API takes it, or why it is none. */
export function readExport(text: string): ReadExport {
  if (text.trim() === "") return { error: "Choose a file, or paste its text." };
  try {
    const data: unknown = JSON.parse(text);
    return isRecord(data) ? { data } : { error: "An export is a JSON object." };
  } catch {
    return { error: "This is not JSON, or not all of it." };
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Which program an export comes from, if it shows. */
export function sourceOf(text: string): Source | undefined {
  const { data } = { data: undefined, ...readExport(text) };
  if (data === undefined) return undefined;
  return "monitorList" in data ? "uptime_kuma" : "checks" in data ? "healthchecks" : undefined;
}
