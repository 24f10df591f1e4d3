import { useQuery } from "@tanstack/react-query";
import type { SetupRun } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { setupRuns } from "../../../data/servers.ts";
import { setupLooks } from "../../../parts/server-state/setup-words.ts";
import { Button } from "../../../ui/button.tsx";
import { formatExact } from "../../../ui/format.ts";
import { Menu } from "../../../ui/menu.tsx";

interface Props {
  serverId: number;
  /** Undefined: the newest. */
  runId: number | undefined;
  onChange: (id: number | undefined) => void;
}

/** Earlier setups, if there are any. */
export function RunSelect({ serverId, runId, onChange }: Props) {
  const runs = useQuery(setupRuns(useOrganization(), serverId)).data?.data ?? [];
  if (runs.length < 2) return null;
  const shown = runs.find(({ id }) => id === runId) ?? runs[0];
  const items = runs.map((run, index) => ({
    id: String(run.id),
    label: textOf(run),
    onAction: () => onChange(index === 0 ? undefined : run.id),
  }));
  return <Menu label="Setups" trigger={<Button>{shown ? textOf(shown) : "Setups"}</Button>} sections={[{ items }]} />;
}

const textOf = ({ created_at, state }: SetupRun): string => `${formatExact(created_at)}: ${setupLooks[state].word}`;
