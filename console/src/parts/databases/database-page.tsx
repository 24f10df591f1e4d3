import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { type Database, serverDatabases } from "../../data/databases.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { Link } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Loaded } from "../loaded.tsx";
import { SyncNote } from "../sync-note.tsx";
import { ConnectionSection } from "./connection-section.tsx";
import { awaitsSetup, DatabaseState } from "./database-state.tsx";
import { DeleteSection } from "./delete-section.tsx";
import { DumpsSection } from "./dumps-section.tsx";
import { Facts } from "./facts.tsx";
import { NotesSection } from "./notes-section.tsx";
import { listAddress, type Place } from "./place.ts";
import { UsersSection } from "./users-section.tsx";

/** A database, below the tab that lists it. */
export function DatabasePage({ place, id }: { place: Place; id: number }) {
  const o = useOrganization();
  const query = useQuery(serverDatabases(o, place.server.id));
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Link href={listAddress(o, place)} kind="quiet" className="-ml-1 inline-flex items-center self-start text-text-2">
        <ChevronLeft aria-hidden size={16} strokeWidth={1.75} />
        Databases
      </Link>
      <Loaded query={query} what="The database could not be read." rows={3}>
        {({ data }) => {
          const database = data.find((each) => each.id === id);
          return database ? <DatabaseBody key={id} place={place} database={database} /> : <Missing />;
        }}
      </Loaded>
    </div>
  );
}

const Missing = () => (
  <div className="flex flex-col gap-1">
    <h2 className="font-semibold text-section">There is no such database</h2>
    <p className="text-text-2">It was deleted, or moved to another server with its project.</p>
  </div>
);

interface BodyProps {
  place: Place;
  database: Database;
}

/** What can be done with one that exists, or will. */
function Uses({ place, database }: BodyProps) {
  const mayChange = useMay("server:update");
  return (
    <>
      {mayChange && <ConnectionSection key={database.updated_at} database={database} />}
      <UsersSection database={database} />
      {mayChange && <DumpsSection place={place} database={database} />}
      <NotesSection database={database} />
    </>
  );
}

export function DatabaseBody({ place, database }: BodyProps) {
  const mayChange = useMay("server:update");
  const o = useOrganization();
  const { database_name: name, status, notes, sync } = database;
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <div className="flex min-w-0 flex-col gap-4">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h2 className="min-w-0 font-semibold text-section [overflow-wrap:anywhere]">{name}</h2>
          <DatabaseState database={database} />
        </div>
        {status === 2 ? (
          <Notice tone="bad" title="It could not be created">
            <span dir="auto" className="whitespace-pre-line">
              {notes}
            </span>
          </Notice>
        ) : (
          sync.error && <SyncNote sync={sync} />
        )}
        {awaitsSetup(database) && (
          <Notice title="The setup of the server has not made it yet">
            <Link href={paths.server(o, place.server.id, "setup")}>Show setup</Link>
          </Notice>
        )}
        <Facts place={place} database={database} />
      </div>
      {status !== 2 && !awaitsSetup(database) && <Uses place={place} database={database} />}
      {mayChange && <DeleteSection place={place} database={database} />}
    </div>
  );
}
