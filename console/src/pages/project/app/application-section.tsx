import { useQuery } from "@tanstack/react-query";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { type AppFacts, type AppSecrets, appFacts, appSecrets } from "../../../data/apps.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Revealed } from "../../../parts/revealed.tsx";
import { Copied } from "../../../ui/copied.tsx";
import { ExternalLink } from "../../../ui/link.tsx";
import { Properties, PropertyStrip } from "../../../ui/properties.tsx";
import { Section } from "../../../ui/section.tsx";
import { AutomaticUpdates } from "./automatic-updates.tsx";
import { LastUpdate } from "./last-update.tsx";
import { UpdateAction } from "./update-action.tsx";

/** The application that a project is. Its details are for those who may change the project. */
export function ApplicationSection({ project }: { project: ProjectReply }) {
  const facts = useQuery({ ...appFacts(useOrganization(), project.id), enabled: useMay("project:update") });
  if (!useMay("project:update")) return <PlainFacts project={project} />;
  return (
    <Section
      title={facts.data?.app_name ?? "Application"}
      actions={facts.data && <UpdateAction project={project} facts={facts.data} />}
    >
      <Loaded query={facts} what="The application could not be read." rows={3}>
        {(app) => (
          <>
            <LastUpdate facts={app} />
            <Facts facts={app} />
            {app.updatable && <AutomaticUpdates projectId={project.id} facts={app} />}
            <Credentials project={project} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const PlainFacts = ({ project: { app_slug: slug, app_version: version } }: { project: ProjectReply }) => (
  <Section title="Application">
    <PropertyStrip
      items={[
        { label: "Application", value: slug },
        { label: "Version", value: version },
      ]}
    />
  </Section>
);

const engines = { mariadb: "MariaDB", postgresql: "PostgreSQL" };

export function Facts({ facts }: { facts: AppFacts }) {
  const { app_version: version, admin_url: url, engine } = facts;
  return (
    <PropertyStrip
      items={[
        {
          label: "Version",
          value: (
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="tabular">{version ?? "–"}</span>
              <Newest facts={facts} />
            </span>
          ),
        },
        { label: "Administration", value: <ExternalLink href={url}>{url}</ExternalLink> },
        { label: "Database", value: engine && engines[engine] },
      ]}
    />
  );
}

/** What it can be updated to: compared once a day. */
function Newest({
  facts: { updatable, update_available: version, update_is_security: isSecurity },
}: {
  facts: AppFacts;
}) {
  if (!updatable) return <span className="text-text-2">cannot be updated in place</span>;
  if (version === null) return null;
  return isSecurity ? (
    <span className="text-warn">{version} is available, and closes a security hole</span>
  ) : (
    <span className="text-text-2">{version} is available</span>
  );
}

function Credentials({ project: { id } }: { project: ProjectReply }) {
  const o = useOrganization();
  return (
    <Revealed what="credentials" ask={() => appSecrets(o, id)}>
      {(secrets) => <SecretFacts secrets={secrets} />}
    </Revealed>
  );
}

export function SecretFacts({ secrets: { credentials, database } }: { secrets: AppSecrets }) {
  const ofDatabase = database
    ? [
        { label: "Database", value: database.name },
        { label: "Database user", value: database.username },
        { label: "Database password", value: database.password },
        { label: "Database host", value: database.host },
      ]
    : [];
  const texts = [...Object.values(credentials).map(({ label, value }) => ({ label, value })), ...ofDatabase];
  const items = texts.map(({ label, value }) => ({ label, value: <Copied value={value} label={`Copy ${label}`} /> }));
  return (
    <>
      <p className="text-text-2">
        As the installation set them: a password that was changed in the application is not known.
      </p>
      <Properties items={items} />
    </>
  );
}
