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
  const { id, project, server, commit_message, git_branch, started_at, created_at } = deployment;
  return (
    <li className="relative flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-line border-b py-2 hover:bg-sunken">
      <span className="w-28 shrink-0">
        <DeploymentStateBadge deployment={{ ...deployment, is_live: false }} />
      </span>
      <Link href={paths.deployment(o, id)} kind="quiet" className="font-medium after:absolute after:inset-0">
        <span dir="auto">{project.name}</span>
      </Link>
      <span dir="auto" className="min-w-0 max-w-full truncate text-text-2 sm:grow sm:basis-0">
        {commit_message ?? git_branch}
      </span>
      <span dir="auto" className="text-text-2">
        {queueText(deployment, server.name)}
      </span>
      <span className="w-16 text-right text-text-3">
        <Duration since={started_at ?? created_at} />
      </span>
    </li>
  );
}
