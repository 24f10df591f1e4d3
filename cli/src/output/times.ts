const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `8.2 s`, `2 min 5 s`, `1 h 3 min`. */
export function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long ago: `12 s ago`, `3 h ago`; a date after 30 days. Empty for null. */
export function ago(at: string | null | undefined, now = Date.now()): string {
  if (!at) return "";
  const ms = Math.max(0, now - new Date(at).getTime());
  if (ms >= 30 * unitMs.d) return at.slice(0, 10);
  const [name, unit] =
    ms >= 2 * unitMs.d
      ? ["d", unitMs.d]
      : ms >= unitMs.h
        ? ["h", unitMs.h]
        : ms >= unitMs.m
          ? ["min", unitMs.m]
          : ["s", unitMs.s];
  return `${Math.floor(ms / unit)} ${name} ago`;
}

/** `90`, `90s`, `10m`, `2h`, `1d` in milliseconds; undefined for anything else, and for nothing at all. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = "s"] = /^(\d{1,6})(s|m|h|d)?$/.exec(text) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return ms > 0 ? ms : undefined;
}

const scale = ["B", "KB", "MB", "GB", "TB"];

export function bytes(count: number | null): string {
  if (count === null) return "";
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), scale.length - 1);
  return `${(count / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${scale[power]}`;
}
