import { useQuery } from "@tanstack/react-query";
import { availability } from "../data/new-project.ts";
import { useOrganization } from "../data/organization.ts";
import { useSettled } from "../use-settled.ts";

const typedAfterMs = 300;

/** What speaks against the name of a new project, as it is typed; nothing else. */
export function NameCheck({ name }: { name: string }) {
  const settled = useSettled(name.trim(), typedAfterMs);
  const read = availability(useOrganization(), { name: settled });
  const { data } = useQuery({ ...read, enabled: settled !== "", staleTime: 0 });
  const reason = settled === "" ? null : data?.data.name?.reason;
  return (
    <div aria-live="polite" className="empty:hidden">
      {reason && <p className="text-warn">{reason}</p>}
    </div>
  );
}
