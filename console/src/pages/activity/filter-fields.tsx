import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { ActivityFilter } from "../../data/activity.ts";
import { TextField } from "../../ui/text-field.tsx";
import { searchWith } from "./filters.ts";

/** Typing reads again after this pause. */
const typedMs = 250;

/** The filters, which are in the address. */
export function Filters({ filter }: { filter: ActivityFilter }) {
  const navigate = useNavigate();
  const [q, setQ] = useState(filter.q ?? "");
  useEffect(() => {
    if (q === (filter.q ?? "")) return;
    const timer = setTimeout(() => void navigate({ search: searchWith(filter, { q }) }, { replace: true }), typedMs);
    return () => clearTimeout(timer);
  }, [q, filter, navigate]);
  return (
    <search>
      <TextField type="search" label="Search" value={q} onChange={setQ} className="max-w-80" />
    </search>
  );
}
