import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { changedBy, useFilters } from "./choices.ts";
import { type DeploymentView, isFiltered, searchWith } from "./filters.ts";

/** Typing reads again after this pause. */
const typedMs = 250;

/** The filters, which are in the address. */
export function DeploymentFilters({ view }: { view: DeploymentView }) {
  const navigate = useNavigate();
  const { q: shown = "" } = view.filter;
  const [q, setQ] = useState(shown);
  const show = (next: DeploymentView) => void navigate({ search: searchWith(next) }, { replace: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins when its text changes.
  useEffect(() => {
    if (q.trim() === shown) return;
    const timer = setTimeout(() => show({ ...view, filter: { ...view.filter, q } }), typedMs);
    return () => clearTimeout(timer);
  }, [q]);
  const reset = () => {
    setQ("");
    show({ filter: {} });
  };
  return (
    <FilterBar
      label="Filter deployments"
      query={q}
      onQuery={setQ}
      filters={useFilters(view)}
      onFilter={(id, selected) => show(changedBy(view, id, selected))}
      {...(isFiltered(view) && { onReset: reset })}
    />
  );
}
