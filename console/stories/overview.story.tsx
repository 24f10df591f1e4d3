import type { Deployment, RunningDeployment } from "../../contract/types.ts";
import type { AttentionItem } from "../src/data/overview.ts";
import { CountList } from "../src/pages/overview/counts.tsx";
import { StepList } from "../src/pages/overview/first-steps.tsx";
import { LatestTable } from "../src/pages/overview/latest.tsx";
import { AttentionList } from "../src/pages/overview/needs-attention.tsx";
import { RunningList } from "../src/pages/overview/running.tsx";
import { ErrorPanel } from "../src/ui/error-panel.tsx";
import { SkeletonRows } from "../src/ui/skeleton.tsx";
import { InOrganization } from "./in-organization.tsx";

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const item = (more: Partial<AttentionItem>): AttentionItem => ({
  key: `${more.kind}:${more.subject?.id}`,
  kind: "deployment_failed",
  severity: "critical",
  subject: { noun: "deployment", id: 12, name: "Shop" },
  server_id: 3,
  project_id: 5,
  since: ago(12),
  message: "The build ended with 1: Could not resolve “./cart” from “src/pages/checkout.tsx”.",
  operation: "postDeploymentsIdRerun",
  label: "Run again",
  params: { id: 12 },
  ...more,
});

const items = [
  item({}),
  item({
    ...{ kind: "monitor_down", subject: { noun: "monitor", id: 4, name: "متجر الكتب" }, since: ago(3) },
    ...{ message: "It answered 502 instead of 200.", operation: null, label: null, params: null },
  }),
  item({
    ...{
      kind: "certificate_failed",
      subject: { noun: "certificate", id: 9, name: "a-very-long-name.of-a-customer.example.com" },
    },
    ...{
      message:
        "The authority could not read http://a-very-long-name.of-a-customer.example.com/.well-known/acme-challenge/kJ8sHq2mYv0: 404.",
      since: ago(3000),
    },
    ...{
      operation: "postProjectsProjectIdCertificatesCertificateIdRenew",
      label: "Renew",
      params: { projectId: 5, certificateId: 9 },
    },
  }),
  item({
    ...{ kind: "server_disk_filling", severity: "warning", subject: { noun: "server", id: 3, name: "web-1" } },
    ...{ message: "The disk is 93 % full.", since: ago(90), operation: null, label: null, params: null },
  }),
  item({
    ...{
      kind: "snapshot_failed",
      severity: "warning",
      subject: { noun: "snapshot", id: 2, name: "before the upgrade" },
    },
    ...{
      message: "The image is left at the provider.",
      since: ago(20_000),
      operation: "deleteServerSnapshotsId",
      label: "Delete",
    },
  }),
];

const running = (more: Partial<RunningDeployment>): RunningDeployment => ({
  ...{
    id: 41,
    status: 3,
    process_type: "deployment",
    description: "Alice",
    git_branch: "main",
    git_tag: null,
    commit_id: "9be01d4",
  },
  ...{ commit_message: "Round totals per line", project: { id: 5, name: "Shop" }, server: { id: 3, name: "web-1" } },
  ...{ waits_for: null, created_at: ago(1), started_at: ago(0.6) },
  ...more,
});

const deployment = (more: Partial<Deployment>): Deployment => {
  const initiator = { type: "user", id: 1, name: "Alice" } as const;
  return { ...running({}), ...{ status: 1, is_live: true, initiator }, ...more } as unknown as Deployment;
};

export const states = {
  counts: () => (
    <InOrganization>
      <CountList
        organization={1}
        counts={{
          projects: { ...none, total: 1234, failed: 2, deploying: 1, live: 1231 },
          servers: { total: 14, ready: 13, installing: 0, provisioning: 0, unreachable: 1 },
          monitors: { total: 40, up: 39, down: 1, pending: 0, inactive: 0 },
          deployments: { running: [], today: 87 },
        }}
      />
    </InOrganization>
  ),
  "needs attention": () => (
    <InOrganization>
      <AttentionList items={items} />
    </InOrganization>
  ),
  "nothing needs attention": () => <AttentionList items={[]} />,
  running: () => (
    <InOrganization>
      <RunningList
        deployments={[
          running({}),
          running({ id: 42, status: 4, project: { id: 6, name: "موقع الأخبار" }, commit_message: null }),
          running({ id: 43, status: 0, waits_for: 0, started_at: null, project: { id: 7, name: "Landing page" } }),
          running({
            id: 44,
            status: 0,
            waits_for: 3,
            started_at: null,
            commit_message:
              "Take VAT of the Netherlands into account when the customer has no number, and show it on the invoice",
          }),
        ]}
      />
    </InOrganization>
  ),
  "nothing runs": () => <RunningList deployments={[]} />,
  latest: () => (
    <InOrganization>
      <LatestTable
        deployments={[
          deployment({ id: 1, status: 3, is_live: false }),
          deployment({ id: 2 }),
          deployment({ id: 3, status: 2, is_live: false, created_at: ago(40) }),
          deployment({
            id: 4,
            status: 5,
            is_live: false,
            created_at: ago(4000),
            initiator: { type: "push", id: null, name: "Ole Nordmann" },
          }),
        ]}
      />
    </InOrganization>
  ),
  "first steps": () => (
    <InOrganization>
      <StepList steps={steps} next={steps[1]} />
    </InOrganization>
  ),
  loading: () => <SkeletonRows rows={3} />,
  error: () => (
    <ErrorPanel
      what="What needs attention could not be read."
      message="The database does not answer."
      requestId="f3a9"
      onRetry={() => {}}
    />
  ),
};

const none = {
  unreachable: 0,
  deploying: 0,
  waiting: 0,
  crashing: 0,
  in_maintenance: 0,
  failed: 0,
  not_installed: 0,
  live: 0,
};

const steps = [
  {
    title: "Connect a server",
    text: "One of your own, by its address, or one that is ordered for you.",
    isDone: true,
    action: { href: "#", label: "Connect server" },
  },
  {
    title: "Connect a git host",
    text: "For private repositories and deployments on push. A public repository needs none.",
    isDone: false,
    action: { href: "#", label: "Connect git host" },
  },
  {
    title: "Deploy a project",
    text: "Choose a repository and a server; what it needs is detected.",
    isDone: false,
    action: { href: "#", label: "New project" },
  },
];
