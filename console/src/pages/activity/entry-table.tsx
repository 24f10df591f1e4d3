import type { Entry } from "../../data/activity.ts";
import { useOrganization } from "../../data/organization.ts";
import { Link } from "../../ui/link.tsx";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { Time } from "../../ui/time.tsx";
import { subjectsOf } from "./subjects.ts";

const who: Column<Entry> = {
  id: "who",
  label: "Who",
  render: ({ user_email }) => (
    <span dir="auto" className="block max-w-64 truncate font-medium max-sm:max-w-full">
      {user_email}
    </span>
  ),
};
const what: Column<Entry> = { id: "what", label: "What", render: (entry) => <What {...entry} /> };
const onWhat: Column<Entry> = { id: "on", label: "On what", grow: true, render: (entry) => <Subjects entry={entry} /> };
const from: Column<Entry> = { id: "from", label: "From", phone: "hidden", render: (entry) => <Origin {...entry} /> };
const when: Column<Entry> = {
  id: "when",
  label: "When",
  align: "end",
  render: ({ created_at }) => <Time at={created_at} />,
};

/** `showsOrigin`: with where the changes came from, which only the audit log has. */
export function EntryTable({ entries, showsOrigin }: { entries: readonly Entry[]; showsOrigin: boolean }) {
  return (
    <SmallTable
      label="Activity"
      hasKeys
      columns={showsOrigin ? [who, what, onWhat, from, when] : [who, what, onWhat, when]}
      rows={entries}
      rowKey={({ id }) => id}
    />
  );
}

function What({ summary, fields }: Entry) {
  return (
    <span title={fields.join(", ")} className="whitespace-nowrap max-sm:whitespace-normal">
      {summary}
    </span>
  );
}

/** The most that are named in a row. */
const mostNamed = 3;

function Subjects({ entry }: { entry: Entry }) {
  const subjects = subjectsOf(useOrganization(), entry);
  const more = subjects.length - mostNamed;
  return (
    <span className="inline-flex max-w-full gap-x-2">
      {subjects.slice(0, mostNamed).map(({ key, name, href }) => (
        <span key={key} dir="auto" className="truncate">
          {href ? <Link href={href}>{name}</Link> : <span className="text-text-3">{name}</span>}
        </span>
      ))}
      {more > 0 && <span className="text-text-3">and {more} more</span>}
    </span>
  );
}

/** The address, and the token where it was not the console. */
function Origin({ ip, token_name, token_id, client }: Entry & { token_id?: number | null }) {
  const by = token_name ?? (token_id != null ? "a token" : client?.kind === "console" ? "Console" : undefined);
  return (
    <span className="whitespace-nowrap text-text-2">
      {ip && <code>{ip}</code>} {by && <span dir="auto">{by}</span>}
    </span>
  );
}
