import { useNavigate } from "react-router";
import { useTypedText } from "../../parts/typed-text.ts";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { changedBy, useFilters } from "./choices.ts";
import { type DeploymentView, isFiltered, searchWith } from "./filters.ts";

/** The filters, which are in the address. */
export function DeploymentFilters({ view }: { view: DeploymentView }) {
  const navigate = useNavigate();
  const show = (next: DeploymentView) => void navigate({ search: searchWith(next) }, { replace: true });
  const [text, setText] = useTypedText(view.filter.q ?? "", (q) => show({ ...view, filter: { ...view.filter, q } }));
  return (
    <FilterBar
      label="Filter deployments"
      query={text}
      onQuery={setText}
      filters={useFilters(view)}
      onFilter={(id, selected) => show(changedBy(view, id, selected))}
      {...(isFiltered(view) && { onReset: () => show({ filter: {} }) })}
    />
  );
}
