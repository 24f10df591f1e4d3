import { isStatus } from "../../api/errors.ts";
import { type Database, paramsOf } from "../../data/databases.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Bytes } from "../../ui/bytes.tsx";
import { formatNumber } from "../../ui/format.ts";
import { Link } from "../../ui/link.tsx";
import { Properties, PropertyStrip } from "../../ui/properties.tsx";
import { Time } from "../../ui/time.tsx";
import { Asked } from "../asked.tsx";
import { AttachToProject } from "./attach-to-project.tsx";
import { origin } from "./columns.tsx";
import { awaitsSetup } from "./database-state.tsx";
import type { Place } from "./place.ts";
import { touches, useDatabaseRefusals } from "./use-database.ts";
import { useProjectNames } from "./use-project-names.ts";
import { characterSetOf, engineNames } from "./words.ts";

/** What was last seen of it, and what it belongs to. */
export function Facts({ place, database }: { place: Place; database: Database }) {
  const { size_bytes: size, connections, seen_at: seenAt } = database;
  return (
    <>
      <PropertyStrip
        items={[
          { label: "Size", value: size === null ? null : <Bytes value={size} /> },
          { label: "Connections", value: connections === null ? null : formatNumber(connections) },
          { label: "Last seen", value: seenAt && <Time at={seenAt} /> },
        ]}
      />
      <Properties
        items={[
          { label: "Project", value: <ProjectOf place={place} database={database} /> },
          { label: "Engine", value: engineNames[database.database_type] },
          { label: "Character set", value: characterSetOf(database) },
          {
            label: "Created",
            value: !awaitsSetup(database) && (
              <>
                <Time at={database.created_at} />
                {origin(database) && <span className="text-text-2"> · {origin(database)}</span>}
              </>
            ),
          },
        ]}
      />
    </>
  );
}

function ProjectOf({ place, database }: { place: Place; database: Database }) {
  const o = useOrganization();
  const { project_id: id } = database;
  const name = useProjectNames([database]).get(id ?? 0);
  if (id === null) return <NoProject place={place} database={database} />;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link href={paths.project(o, id, "databases")}>
        <bdi>{name ?? `Project ${id}`}</bdi>
      </Link>
      <Detach database={database} project={name ?? `project ${id}`} />
    </span>
  );
}

function NoProject({ place, database }: { place: Place; database: Database }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-text-2">None: it stays where it is when a project that uses it moves.</span>
      {database.created_by_user && place.hasProjects && <AttachToProject place={place} database={database} />}
    </span>
  );
}

function Detach({ database, project }: { database: Database; project: string }) {
  const refusal = useDatabaseRefusals(database)("update");
  const detach = useWrite("PUT /api/v1/servers/{id}/databases/{database}", { touches });
  const send = () => {
    const body = { project_id: null, expected_updated_at: database.updated_at };
    detach.mutate({ params: paramsOf(database), body });
  };
  if (!useMay("server:update")) return null;
  const stale = isStatus(detach.error, 409) ? "The database was changed elsewhere. Try again." : undefined;
  return (
    <Asked
      trigger={(ask) => (
        <Button compact onPress={ask} disabledReason={refusal}>
          Detach
        </Button>
      )}
      title={`Detach ${database.database_name} from ${project}`}
      verb="Detach database"
      write={detach}
      onConfirm={send}
      refusal={stale}
    >
      <p>It stays on the server with all of its content, and the project can use it as before.</p>
      <p>It no longer moves with the project, and is not deleted with it.</p>
    </Asked>
  );
}
