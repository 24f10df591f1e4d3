import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { SourceProvider } from "../../../../../contract/types.ts";
import { prefetch } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { gitHosts } from "../../../data/overview.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Section } from "../../../ui/section.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { ConnectGitHost } from "./connect-git-host.tsx";
import { DisconnectGitHost } from "./disconnect-git-host.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(gitHosts(Number(params.organization)));

/** Accounts at git hosts, with which private repositories are read and webhooks registered. */
export function Component(): ReactNode {
  const query = useQuery(gitHosts(useOrganization()));
  const mayManage = useMay("organization:manage");
  return (
    <Section
      title="Git hosts"
      description="With a connected account, deploy keys and webhooks of projects are registered at the host."
      actions={mayManage && <ConnectGitHost />}
    >
      <Loaded query={query} what="The git hosts could not be read." rows={2}>
        {({ data }) => <GitHostTable accounts={data} mayManage={mayManage} />}
      </Loaded>
    </Section>
  );
}

const columns: Column<SourceProvider>[] = [
  {
    id: "name",
    label: "Name",
    grow: true,
    render: ({ name }) => (
      <span dir="auto" className="font-medium">
        {name}
      </span>
    ),
  },
  { id: "host", label: "Host", render: ({ label }) => label },
  {
    id: "account",
    label: "Account",
    render: ({ account }) => (
      <span dir="auto" className="block max-w-64 truncate">
        {account}
      </span>
    ),
  },
  { id: "since", label: "Connected", phone: "labelled", render: ({ created_at }) => <Time plain at={created_at} /> },
];

function GitHostTable({ accounts, mayManage }: { accounts: readonly SourceProvider[]; mayManage: boolean }) {
  if (accounts.length === 0) {
    return (
      <Empty title="No git host is connected yet">
        Without one, deploy keys and webhooks are added by hand at the host.
      </Empty>
    );
  }
  return (
    <SmallTable<SourceProvider>
      label="Git hosts"
      columns={columns}
      rows={accounts}
      rowKey={({ id }) => id}
      {...(mayManage && { actions: (account) => <DisconnectGitHost account={account} /> })}
    />
  );
}
