import { useMutation } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useOrganization } from "../../data/organization.ts";
import { projectIds } from "../../data/projects.ts";
import type { ProjectView } from "./filters.ts";

/** The chosen projects. */
export interface Selection {
  ids: ReadonlySet<number>;
  /** The ids of all that match, in the order of the list, once all were chosen. */
  all: readonly number[] | undefined;
  choose: (ids: ReadonlySet<number>) => void;
  chooseAll: () => void;
  clear: () => void;
  isReading: boolean;
  error: Error | null;
}

const none: ReadonlySet<number> = new Set();

/** A selection belongs to what is shown: other filters begin without one. */
export function useSelection(view: ProjectView): Selection {
  const organization = useOrganization();
  const shown = JSON.stringify(view);
  const [state, setState] = useState<{ shown: string; ids: ReadonlySet<number>; all?: readonly number[] }>();
  const present = state?.shown === shown ? state : undefined;
  const readAll = useMutation({
    mutationFn: () => projectIds(organization, view.filter, view.sort),
    onSuccess: ({ data }) => setState({ shown, ids: new Set(data), all: data }),
  });
  const { mutate: chooseAll, reset } = readAll;
  const all = present?.all;
  const choose = (ids: ReadonlySet<number>) => {
    // Rows that were not read yet have no ids: choosing them means all that match.
    const isAll = [...ids].some((id) => id < 0);
    if (isAll) chooseAll();
    else setState({ shown, ids, ...(all && { all }) });
  };
  const clear = useCallback(() => {
    reset();
    setState(undefined);
  }, [reset]);
  return {
    ids: present?.ids ?? none,
    all,
    choose,
    chooseAll: () => chooseAll(),
    clear,
    isReading: readAll.isPending,
    error: readAll.error,
  };
}
