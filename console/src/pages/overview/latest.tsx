import type { UseQueryResult } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import type { Deployment, DeploymentSlice } from "../../../../contract/types.ts";
import { useOrganization } from "../../data/organization.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { paths } from "../../paths.ts";
import { Link } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Time } from "../../ui/time.tsx";
import type { Tone } from "../../ui/tones.ts";

/** The deployments that were requested last. */
export function Latest({ query }: { query: UseQueryResult<DeploymentSlice, Error> }) {
  const o = useOrganization();
  return (
    <Section title="Latest deployments" actions={<Link href={paths.deployments(o)}>All deployments</Link>}>
      <Loaded query={query} what="The deployments could not be read." rows={8}>
        {({ data }) => <LatestTable deployments={data} />}
      </Loaded>
    </Section>
  );
}

const states: Record<Deployment["status"], { state: string; word: string; tone: Tone }> = {
  0: { state: "queued", word: "Waiting", tone: "idle" },
  1: { state: "success", word: "Succeeded", tone: "ok" },
  2: { state: "failed", word: "Failed", tone: "bad" },
  3: { state: "running", word: "Deploying", tone: "run" },
  4: { state: "cancelling", word: "Cancelling", tone: "run" },
  5: { state: "cancelled", word: "Cancelled", tone: "idle" },
};

function State({ status, is_live, started_at }: Deployment) {
  const { word, ...look } = states[status];
  const icon = status === 0 ? { icon: Clock } : {};
  return <StateIcon {...look} {...icon} word={is_live ? "Live" : word} since={started_at ?? undefined} />;
}

const columns: readonly Column<Deployment>[] = [
  { id: "project", label: "Project", render: ({ project }) => <span dir="auto">{project.name}</span> },
  { id: "state", label: "State", render: State },
  { id: "commit", label: "Commit", grow: true, render: (deployment) => <Commit {...deployment} /> },
  {
    id: "by",
    label: "By",
    phone: "hidden",
    render: ({ initiator }) => (
      <span dir="auto">{initiator.name ?? (initiator.type === "monitor" ? "A monitor" : "–")}</span>
    ),
  },
  { id: "at", label: "When", align: "end", render: ({ created_at }) => <Time plain at={created_at} /> },
];

function Commit({ commit_id, commit_message, git_branch }: Deployment) {
  return (
    <span className="text-text-2">
      {commit_id && <code className="mr-2 text-text-3">{commit_id.slice(0, 7)}</code>}
      <span dir="auto">{commit_message ?? git_branch}</span>
    </span>
  );
}

export function LatestTable({ deployments }: { deployments: readonly Deployment[] }) {
  const o = useOrganization();
  return (
    <SmallTable
      label="Latest deployments"
      columns={columns}
      rows={deployments}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.deployment(o, id)}
    />
  );
}
