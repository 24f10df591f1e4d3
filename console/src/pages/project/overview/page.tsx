import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { prefetchOf } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { projectMonitors } from "../../../data/monitors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { backgroundJobs, project, scheduledJobs } from "../../../data/projects.ts";
import { CertificateState } from "../../../parts/certificate-state.tsx";
import { paths } from "../../../paths.ts";
import { Bytes } from "../../../ui/bytes.tsx";
import { Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PropertyStrip } from "../../../ui/properties.tsx";
import { Time } from "../../../ui/time.tsx";
import { ApplicationSection } from "../app/application-section.tsx";
import { InstallProgress } from "../app/install-progress.tsx";
import { useProject } from "../use-project.ts";
import { CrashLoops } from "./crash-loops.tsx";
import { JobsSection } from "./jobs-section.tsx";
import { LatestDeployments } from "./latest-deployments.tsx";
import { MonitorsSection } from "./monitors-section.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.project)];
  return prefetchOf(project(o, id), scheduledJobs(o, id), backgroundJobs(o, id), projectMonitors(o, id));
};

/** Whether the project works, and what happened to it last. */
export function Component(): ReactNode {
  const project = useProject();
  return (
    <div className="flex flex-col gap-8">
      <Attention project={project} />
      {isApp(project) && <Application project={project} />}
      <Facts project={project} />
      {!isApp(project) && <LatestDeployments project={project} />}
      {useMay("monitor:read") && <MonitorsSection project={project} />}
      <JobsSection project={project} />
    </div>
  );
}

const isApp = ({ source_type }: ProjectReply): boolean => source_type === "app";

const Application = ({ project }: { project: ProjectReply }) =>
  project.installation_status === 1 ? <ApplicationSection project={project} /> : <InstallProgress project={project} />;

/** What one should know before anything else; nothing when all is well. */
function Attention({ project }: { project: ProjectReply }) {
  const { crash_loops, has_pending_changes, web_server_drift: drift, sync } = project;
  const isQuiet = crash_loops.length === 0 && !has_pending_changes && !drift && sync.state !== "failed";
  if (isQuiet) return null;
  return (
    <div className="flex flex-col gap-2">
      <CrashLoops project={project} />
      {sync.state === "failed" && (
        <Notice tone="bad" title="The server has not taken the project's changes">
          {sync.error}
        </Notice>
      )}
      {has_pending_changes && (
        <Notice tone="warn" title="Changed since the last deployment">
          Settings or environment variables were changed. The next deployment brings them live.
        </Notice>
      )}
      {drift && (
        <Notice tone="warn" title="A file of the web server was changed by hand">
          <code>{drift.file}</code> was replaced. {drift.kept_as && `The changed file is kept as ${drift.kept_as}.`}
        </Notice>
      )}
    </div>
  );
}

const sourceItems = ({ repository, repository_branch, framework }: ProjectReply) => [
  {
    label: "Source",
    value: (
      <span dir="auto">
        {repository}
        {repository_branch && ` · ${repository_branch}`}
      </span>
    ),
  },
  { label: "Framework", value: framework.label },
];

/** Domain, certificate, source and disk at a glance. */
function Facts({ project }: { project: ProjectReply }) {
  const o = useOrganization();
  const { certificate, disk, domains } = project;
  const others = domains.length - 1;
  const items = [
    {
      label: "Domain",
      value: (
        <Link href={paths.project(o, project.id, "domains")}>
          {project.primary_domain}
          {others > 0 && ` and ${others} more`}
        </Link>
      ),
    },
    {
      label: "Certificate",
      value: certificate ? (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <CertificateState status={certificate.status} />
          {certificate.expires_at && (
            <span className="text-text-2">
              expires <Time at={certificate.expires_at} />
            </span>
          )}
        </span>
      ) : (
        "None"
      ),
    },
    ...(isApp(project) ? [] : sourceItems(project)),
    {
      label: "Disk",
      value: disk && (
        <>
          <Bytes value={disk.releases_bytes} /> releases, <Bytes value={disk.caches_bytes} /> caches
        </>
      ),
    },
  ];
  return <PropertyStrip items={items} />;
}
