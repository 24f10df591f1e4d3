import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../data/organization.ts";
import { overview, type RunningDeployment } from "../../data/overview.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { DeploymentStateBadge } from "../../parts/state-badge.tsx";
import { paths } from "../../paths.ts";
import { Duration } from "../../ui/duration.tsx";
import { Link } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";
import { queueText } from "./running-text.ts";

/** Deployments that run or wait, with their place in the queue. */
export function Running() {
  const query = useQuery(overview(useOrganization()));
  return (
    <Section title="Running">
      <Loaded query={query} what="What runs could not be read." rows={2}>
        {({ data }) => <RunningList deployments={data.deployments?.running ?? []} />}
      </Loaded>
    </Section>
  );
}

export function RunningList({ deployments }: { deployments: readonly RunningDeployment[] }) {
  if (deployments.length === 0) {
    return <p className="border-line border-y py-3 text-text-2">No deployment runs or waits.</p>;
  }
  return (
    <ul className="border-line border-t">
      {deployments.map((deployment) => (
        <RunningRow key={deployment.id} deployment={deployment} />
      ))}
    </ul>
  );
}

function RunningRow({ deployment }: { deployment: RunningDeployment }) {
  const o = useOrganization();
  const { id, project, server, commit_message, git_branch, git_tag, started_at, created_at } = deployment;
  return (
    <li className={rowClasses}>
      <span className="max-sm:order-2">
        <DeploymentStateBadge deployment={{ ...deployment, is_live: false }} />
      </span>
      <Link href={paths.deployment(o, id)} kind="quiet" className="min-w-0 font-medium after:absolute after:inset-0">
        <span dir="auto" className="block truncate">
          {project.name}
        </span>
      </Link>
      <span dir="auto" className="truncate text-text-2 max-sm:hidden">
        {commit_message ?? git_tag ?? git_branch}
      </span>
      <span dir="auto" className="truncate text-text-2 max-sm:order-3">
        {queueText(deployment, server.name)}
      </span>
      <span className="text-right text-text-3 max-sm:order-4">
        <Duration since={started_at ?? created_at} />
      </span>
    </li>
  );
}

/** One line; on a phone two: project and state, place in the queue and time. */
const rowClasses =
  "relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 border-line border-b py-2 hover:bg-sunken " +
  "sm:grid-cols-[7rem_minmax(0,12rem)_minmax(0,1fr)_auto_4rem] sm:items-center";
