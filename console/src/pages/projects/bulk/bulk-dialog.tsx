import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "../../../api/errors.ts";
import { invalidate } from "../../../data/cache.ts";
import { useOrganization } from "../../../data/organization.ts";
import { ProjectState } from "../../../parts/project-state/project-state.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { formatCount, formatNumber } from "../../../ui/format.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { states } from "../filters.ts";
import { type Counted, changeInParts } from "./parts.ts";
import { useCounted } from "./use-counted.ts";

export interface BulkChange {
  /** "Deploy", "Turn auto-deploy on": the dialog's verb. */
  verb: string;
  /** Apps of the catalog cannot have it, and are left out. */
  leavesOutApps: boolean;
  /** What happens, for this many. */
  consequence: (count: number) => ReactNode;
  /** Why it cannot be done yet, such as before something is chosen. */
  missing?: string | undefined;
  change: (ids: number[]) => Promise<unknown>;
  onDone: (count: number) => void;
  /** What has to be chosen first. */
  children?: ReactNode;
}

interface Props extends BulkChange {
  ids: readonly number[];
  isOpen: boolean;
  onClose: () => void;
}

/** A change of many projects: what will happen, before it does. */
export function BulkDialog({ isOpen, onClose, ...rest }: Props) {
  const title = `${rest.verb}: ${projectsText(rest.ids.length)}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <BulkForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

function BulkForm({ ids, leavesOutApps, change, onDone, onClose, ...rest }: Omit<Props, "isOpen">) {
  const organization = useOrganization();
  const { counted, error } = useCounted(ids);
  const apps = new Set(leavesOutApps ? counted?.appIds : []);
  const changed = ids.filter((id) => !apps.has(id));
  const run = useMutation({
    mutationFn: () => changeInParts(changed, change),
    onSuccess: async (outcome) => {
      if (outcome.done > 0) await invalidate([organization, "projects"]);
      if (!outcome.error) onDone(outcome.done);
    },
  });
  const stopped = run.data?.error;
  const sentence = stopped ? `${stoppedText(run.data?.done ?? 0, changed.length)} ${messageOf(stopped)}` : undefined;
  const nothing = counted && changed.length === 0 ? "All of them are apps of the catalog." : undefined;
  const unknown = counted ? undefined : "What the projects are is not known yet.";
  return (
    <Form onSubmit={() => run.mutate()}>
      {rest.children}
      <Summary counted={counted} error={error} />
      {counted && <p>{rest.consequence(changed.length)}</p>}
      {apps.size > 0 && (
        <p className="text-text-2">{`${projectsText(apps.size)} left out: apps of the catalog are not deployed.`}</p>
      )}
      <FormActions refusal={sentence}>
        <Button
          type="submit"
          kind="primary"
          isPending={run.isPending}
          disabledReason={unknown ?? nothing ?? rest.missing}
        >
          {rest.verb}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

/** How many of the chosen are in which state. */
function Summary({ counted, error }: { counted: Counted | undefined; error: Error | null }) {
  if (error) return <p className="text-bad">{messageOf(error)}</p>;
  if (!counted) return <Skeleton className="h-5 w-full" />;
  return (
    <ul aria-label="Chosen projects by state" className="flex flex-wrap gap-x-4 gap-y-1">
      {states
        .filter((state) => counted.states.has(state))
        .map((state) => (
          <li key={state} className="flex items-baseline gap-1.5">
            <ProjectState project={{ state }} />
            <span className="text-text-2 tabular">{formatNumber(counted.states.get(state) ?? 0)}</span>
          </li>
        ))}
    </ul>
  );
}

export const projectsText = (count: number): string => formatCount(count, "project");

const stoppedText = (done: number, of: number): string =>
  done === 0 ? "Nothing was changed." : `Done for ${formatNumber(done)} of ${projectsText(of)}.`;
