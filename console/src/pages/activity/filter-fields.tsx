import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { ActivityFilter } from "../../data/activity.ts";
import { useMay } from "../../data/me.ts";
import { people } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { useTypedText } from "../../parts/typed-text.ts";
import { type Filter, FilterBar } from "../../ui/filter-bar.tsx";
import { searchWith } from "./filters.ts";

/** The filters, which are in the address. */
export function Filters({ filter }: { filter: ActivityFilter }) {
  const navigate = useNavigate();
  const show = (changed: ActivityFilter) => void navigate({ search: searchWith(filter, changed) }, { replace: true });
  const [q, setQ] = useTypedText(filter.q ?? "", (text) => show({ q: text }));
  const filters = [useWho(filter), ...subjectOf(filter)];
  return (
    <FilterBar
      label="Filter activity"
      query={q}
      onQuery={setQ}
      filters={filters}
      onFilter={(id, selected) =>
        show(id === "who" ? { user_id: otherOf(selected, filter) } : { subject: selected[0] })
      }
      onReset={() => void navigate({ search: "" }, { replace: true })}
    />
  );
}

/** The API filters by one account: another choice replaces it. */
function otherOf(selected: readonly string[], { user_id }: ActivityFilter): number | undefined {
  const chosen = selected.find((id) => id !== String(user_id));
  return chosen === undefined ? undefined : Number(chosen);
}

function useWho({ user_id }: ActivityFilter): Filter {
  const known = useQuery({ ...people(useOrganization()), enabled: useMay("organization:read") }).data?.data ?? [];
  const options = known.map((member) => ({ id: String(member.user_id), label: member.name || member.email }));
  return { id: "who", label: "Who", options, selected: user_id === undefined ? [] : [String(user_id)] };
}

/** Links of records lead here with it; it can only be taken away. */
const subjectOf = ({ subject }: ActivityFilter): Filter[] =>
  subject ? [{ id: "subject", label: "On", options: [{ id: subject, label: subject }], selected: [subject] }] : [];
