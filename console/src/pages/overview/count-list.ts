import type { Overview } from "../../../../contract/types.ts";
import { type OrganizationId, paths } from "../../paths.ts";
import type { Tone } from "../../ui/tones.ts";

export interface Count {
  label: string;
  total: number;
  href: string;
  /** Those in a state that one wants to know of. */
  parts: { word: string; count: number; tone: Tone; href: string }[];
}

type States<Counts> = readonly (readonly [state: Exclude<keyof Counts, "total">, word: string, tone: Tone])[];

const projectStates: States<NonNullable<Overview["projects"]>> = [
  ["failed", "failed", "bad"],
  ["crashing", "crashing", "bad"],
  ["unreachable", "unreachable", "bad"],
  ["deploying", "deploying", "run"],
  ["waiting", "waiting", "idle"],
  ["in_maintenance", "in maintenance", "warn"],
];
const serverStates: States<NonNullable<Overview["servers"]>> = [
  ["unreachable", "unreachable", "bad"],
  ["installing", "installing", "run"],
  ["provisioning", "provisioning", "run"],
];
const monitorStates: States<NonNullable<Overview["monitors"]>> = [["down", "down", "bad"]];

/** The counts that the account may see. */
export function countsOf({ projects, servers, monitors }: Overview, o: OrganizationId): Count[] {
  return [
    projects && {
      ...{ label: "Projects", total: projects.total, href: paths.projects(o) },
      parts: partsOf(projects, projectStates, (state) => paths.projects(o, { state })),
    },
    servers && {
      ...{ label: "Servers", total: servers.total, href: paths.servers(o) },
      parts: partsOf(servers, serverStates, (state) => paths.servers(o, { state })),
    },
    monitors && {
      ...{ label: "Monitors", total: monitors.total, href: paths.monitors(o) },
      parts: partsOf(monitors, monitorStates, (status) => paths.monitors(o, { status })),
    },
  ].filter((count) => count !== null);
}

const partsOf = <Counts extends object>(
  counts: Counts,
  states: States<Counts>,
  href: (state: string) => string,
): Count["parts"] =>
  states.flatMap(([state, word, tone]) => {
    const count = Number(counts[state]);
    return count === 0 ? [] : [{ word, count, tone, href: href(String(state)) }];
  });
