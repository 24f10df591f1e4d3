export const logTypes = {
  access: "Access",
  error: "Errors",
  php: "PHP",
  output: "Output",
  app: "Application",
} as const;
export type LogType = keyof typeof logTypes;

export const spans = { "15m": "15 minutes", "1h": "1 hour", "1d": "1 day", "7d": "7 days" } as const;

/** Which lines are shown; the filters are in the address. */
export interface LogFilter {
  type: LogType;
  since?: keyof typeof spans;
  q: string;
}

/** The logs that there are: of the web server, and of what runs the project. */
export const typesOf = (family: "php" | "node" | "static" | undefined): LogType[] => [
  ...(family === "node" ? (["output"] as const) : []),
  "access",
  "error",
  ...(family === "php" ? (["php", "app"] as const) : []),
];

/** What an address asks for, as far as there is such a log. */
export function filterIn(search: URLSearchParams, types: readonly LogType[]): LogFilter {
  const since = search.get("since") ?? "";
  return {
    type: types.find((type) => type === search.get("type")) ?? types[0] ?? "access",
    q: search.get("q") ?? "",
    ...(Object.hasOwn(spans, since) && { since: since as keyof typeof spans }),
  };
}

export const searchOf = ({ type, since, q }: LogFilter): URLSearchParams =>
  new URLSearchParams({ type, ...(since && { since }), ...(q.trim() !== "" && { q: q.trim() }) });
