import type { LogMatches, LogPage } from "../../../../contract/types.ts";
import { request } from "../../api/client.ts";
import type { StreamEvent } from "../../api/stream.ts";
import type { OrganizationId } from "../../paths.ts";
import type { Piece } from "./pages.ts";
import { changeOfRun, type LogChange } from "./run-events.ts";

// The logs of the API: where each is read, searched, followed and downloaded.

export interface LogPlace {
  from_line?: number;
  max_lines?: number;
  tail?: number;
  limit?: number;
}

export type Page = Pick<LogPage, "data" | "next" | "has_more" | "is_complete" | "total_lines">;
export type Matches = Pick<LogMatches, "matches" | "total" | "next_line">;

export interface LogSource {
  /** Distinguishes the log from all others. */
  key: string;
  organization: OrganizationId;
  /** Absent: there is only what the stream sends, such as for the log of a process. */
  read?: (place: LogPlace, signal: AbortSignal) => Promise<Page>;
  search?: (q: string, fromLine: number, signal: AbortSignal) => Promise<Matches>;
  /** The address of the stream, from an offset on. */
  stream: (after: number) => string;
  changeOf: (event: StreamEvent) => LogChange;
  /** Of the whole log as text. */
  raw?: string;
}

// Runs -------------------------------------------------------------------------------------------------------------------------

export const deploymentLog = (organization: OrganizationId, id: number): LogSource => ({
  key: `deployment ${id}`,
  organization,
  read: (query, signal) => request("GET /api/v1/deployments/{id}/log", { params: { id }, query, organization, signal }),
  search: (q, from_line, signal) =>
    request("GET /api/v1/deployments/{id}/log/search", {
      params: { id },
      query: { q, from_line },
      organization,
      signal,
    }),
  stream: (after) => `/api/v1/deployments/${id}/log/stream?after=${after}`,
  changeOf: changeOfRun,
  raw: `/api/v1/deployments/${id}/log.txt?organization=${organization}`,
});

/** Of a server's setup; without a run that of the newest one. */
export const setupLog = (organization: OrganizationId, id: number, run_id?: number): LogSource => ({
  key: `setup ${id} ${run_id ?? ""}`,
  organization,
  read: (query, signal) =>
    request("GET /api/v1/servers/{id}/setup-log", {
      params: { id },
      query: { ...query, ...(run_id && { run_id }) },
      organization,
      signal,
    }),
  search: (q, from_line, signal) =>
    request("GET /api/v1/servers/{id}/setup-log/search", {
      params: { id },
      query: { q, from_line, ...(run_id && { run_id }) },
      organization,
      signal,
    }),
  stream: (after) => `/api/v1/servers/${id}/setup-log/stream?after=${after}${run_id ? `&run_id=${run_id}` : ""}`,
  changeOf: changeOfRun,
});

export const commandLog = (organization: OrganizationId, id: number, commandId: number): LogSource => ({
  key: `command ${commandId}`,
  organization,
  read: async (query, signal) => {
    const params = { id, commandId };
    const { data } = await request("GET /api/v1/projects/{id}/commands/{commandId}", {
      params,
      query,
      organization,
      signal,
    });
    return data.log;
  },
  search: (q, from_line, signal) =>
    request("GET /api/v1/projects/{id}/commands/{commandId}/log/search", {
      params: { id, commandId },
      query: { q, from_line },
      organization,
      signal,
    }),
  stream: (after) => `/api/v1/projects/${id}/commands/${commandId}/log/stream?after=${after}`,
  changeOf: changeOfRun,
});

// Processes --------------------------------------------------------------------------------------------------------------------

/** The stream of a process's log, or of a web server's: lines without numbers, which are counted from where the page began. */
export function processLog(organization: OrganizationId, key: string, stream: string): LogSource {
  let count = 0;
  return {
    key,
    organization,
    stream: () => stream,
    changeOf: ({ name, data }) => {
      if (name === "unavailable") return { problem: (data as { message: string }).message };
      if (name !== "lines") return {};
      const { lines, entries, left_out } = data as LiveLines;
      const shown = entries ?? lines.map((text) => ({ at: null, text }));
      const all = left_out ? [{ at: null, text: `(${left_out} lines are left out here)` }, ...shown] : shown;
      const pieces = all.map(({ at, text }): Piece => {
        count += 1;
        return { offset: count, first_line: count, text: `${text.replaceAll("\n", " ")}\n`, at };
      });
      return { pieces };
    },
  };
}

interface LiveLines {
  lines: string[];
  left_out?: number;
  entries?: { at: string | null; text: string }[];
}
