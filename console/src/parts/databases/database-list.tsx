import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DatabaseList as Listed } from "../../../../contract/types.ts";
import { isStatus } from "../../api/errors.ts";
import { serverDatabases } from "../../data/databases.ts";
import { useOrganization } from "../../data/organization.ts";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { Loaded } from "../loaded.tsx";
import { AttachDatabase } from "./attach-database.tsx";
import { CreateDatabase } from "./create-database.tsx";
import { DatabaseGrid } from "./database-grid.tsx";
import type { Place } from "./place.ts";
import { UnmanagedSection } from "./unmanaged-section.tsx";
import { engineNames } from "./words.ts";

/** The tab of databases, of a server or of a project. */
export function DatabaseList({ place }: { place: Place }) {
  const query = useQuery(serverDatabases(useOrganization(), place.server.id));
  if (isStatus(query.error, 403, 404) && !query.data) return <OutOfReach server={place.server.name} />;
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <Loaded query={query} what="The databases could not be read." rows={3}>
        {(list) => <DatabasesSection place={place} list={list} />}
      </Loaded>
      {query.data?.engine && !place.project && <UnmanagedSection place={place} managed={query.data.data} />}
    </div>
  );
}

/** A project can be in reach alone. */
const OutOfReach = ({ server }: { server: string }) => (
  <Empty title="The databases are not in your reach">
    They belong to the server <bdi>{server}</bdi>, of which you can see single projects only.
  </Empty>
);

function DatabasesSection({ place, list }: { place: Place; list: Listed }) {
  const { project } = place;
  const shown = project ? list.data.filter(({ project_id: id }) => id === project.id) : list.data;
  return (
    <Section
      title="Databases"
      description={<EngineLine list={list} />}
      actions={
        <>
          {project && <AttachDatabase place={place} databases={list.data} />}
          <CreateDatabase place={place} />
        </>
      }
    >
      {list.engine && list.error && <EngineNotice list={list} />}
      {shown.length > 0 ? (
        <DatabaseGrid place={place} databases={shown} />
      ) : list.engine ? (
        <None place={place} />
      ) : (
        <Empty title="No database engine">
          <bdi>{place.server.name}</bdi> was set up without MariaDB or PostgreSQL.
        </Empty>
      )}
    </Section>
  );
}

/** "MariaDB 10.11.6, looked at 20 s ago". */
function EngineLine({ list: { engine, engine_version: version, seen_at: at } }: { list: Listed }): ReactNode {
  if (!engine) return null;
  return (
    <>
      {engineNames[engine]} {version}
      {at && (
        <>
          {version ? ", looked at " : "looked at "}
          <Time at={at} />
        </>
      )}
    </>
  );
}

const EngineNotice = ({ list: { error, seen_at: at } }: { list: Listed }) => (
  <Notice tone="warn" title="The last look at the engine failed">
    <span dir="auto">{error}</span>
    {at && (
      <>
        {" "}
        Sizes and connections are from <Time at={at} />.
      </>
    )}
  </Notice>
);

function None({ place: { project, server } }: { place: Place }) {
  if (!project) {
    return (
      <Empty title="No databases yet">Each gets a user of its own, who has all rights on it and on nothing else.</Empty>
    );
  }
  return (
    <Empty title="This project has no database">
      What belongs to the project moves with it from <bdi>{server.name}</bdi> to another server, and is deleted with it.
    </Empty>
  );
}
