import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { type ActivityFilter, activity, auditLog, type Entry } from "../../data/activity.ts";
import { useAllowed, useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pager } from "../../ui/pager.tsx";
import { EntryTable } from "./entry-table.tsx";
import { ExportLinks } from "./export-links.tsx";
import { Filters } from "./filter-fields.tsx";
import { filterIn, searchWith } from "./filters.ts";

/** Who changed what, the newest first. */
export function Component() {
  useTitle("Activity");
  const o = useOrganization();
  const filter = filterIn(useSearchParams()[0]);
  const readsLog = useReadsLog();
  const [ofAll, ofReach] = [auditLog(o, filter), activity(o, filter)];
  const log = useQuery({ ...ofAll, enabled: readsLog, placeholderData: keepPreviousData });
  const reach = useQuery({ ...ofReach, enabled: !readsLog, placeholderData: keepPreviousData });
  const shown = (reply: { data: Entry[]; next_before: number | null }) => (
    <Entries entries={reply.data} nextBefore={reply.next_before} filter={filter} showsOrigin={readsLog} />
  );
  const what = "The activity could not be read.";
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Activity" actions={readsLog && <ExportLinks filter={filter} />} />
      <Filters filter={filter} />
      {readsLog ? (
        <Loaded query={log} what={what} rows={12}>
          {shown}
        </Loaded>
      ) : (
        <Loaded query={reach} what={what} rows={12}>
          {shown}
        </Loaded>
      )}
    </div>
  );
}

/** The audit log also has where changes came from. It is about everything, so a restricted membership may not read it. */
function useReadsLog(): boolean {
  const manages = useMay("organization:manage");
  return useAllowed()?.restriction === null && manages;
}

interface EntriesProps {
  entries: readonly Entry[];
  nextBefore: number | null;
  filter: ActivityFilter;
  showsOrigin: boolean;
}

export function Entries({ entries, nextBefore, filter, showsOrigin }: EntriesProps) {
  const here = paths.activity(useOrganization());
  const { before, ...others } = filter;
  const isFiltered = Object.keys(others).length > 0;
  const pager = (
    <Pager
      {...(before !== undefined && { later: here + searchWith(filter, {}) })}
      {...(nextBefore !== null && { earlier: here + searchWith(filter, { before: nextBefore }) })}
    />
  );
  return (
    <div>
      {entries.length > 0 && <EntryTable entries={entries} showsOrigin={showsOrigin} />}
      {entries.length === 0 && (
        <Empty title={isFiltered ? "Nothing matches these filters" : "Nothing was changed yet"}>
          {isFiltered
            ? "Older entries may match: “Earlier” shows them, if it is there."
            : "Each change is listed here, with who made it."}
        </Empty>
      )}
      {pager}
    </div>
  );
}
