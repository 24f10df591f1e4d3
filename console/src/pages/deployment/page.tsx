import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useParams } from "react-router";
import { prefetch } from "../../data/cache.ts";
import { deployment, deploymentActions, deploymentState } from "../../data/deployments.ts";
import { useOrganization } from "../../data/organization.ts";
import { useEndedNotice } from "../../parts/ended-notice.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { followAhead } from "../../parts/log-view/log-reader.ts";
import { LogView } from "../../parts/log-view/log-view.tsx";
import { deploymentLog } from "../../parts/log-view/source.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { DeploymentActions } from "./actions.tsx";
import { DeploymentHeader } from "./header.tsx";
import { LiveAddress } from "./live-address.tsx";
import { Messages } from "./messages.tsx";
import { tabOf } from "./tab.ts";

export function loader({ params }: LoaderFunctionArgs) {
  const [organization, id] = [Number(params.organization), Number(params.id)];
  followAhead(deploymentLog(organization, id));
  return prefetch(deployment(organization, id));
}

export function Component(): ReactNode {
  const organization = useOrganization();
  const id = Number(useParams().id);
  const query = useQuery(deployment(organization, id));
  const actions = useQuery(deploymentActions(organization, id));
  const { title, state, sentence, ...end } = tabOf(id, query.data);
  const parent = { href: paths.deployments(organization), label: "Deployments" };
  useTitle(title, state);
  useEndedNotice({ ...end, title, body: sentence });
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {!query.data && <PageHeader title={`Deployment ${id}`} parent={parent} />}
      <Loaded query={query} what="The deployment could not be read.">
        {(record) => (
          <>
            <DeploymentHeader
              deployment={record}
              actions={<DeploymentActions deployment={record} actions={actions.data?.data} />}
            />
            <Messages deployment={record} />
            {deploymentState(record) === "success" && <LiveAddress deployment={record} />}
            <LogView
              key={id}
              source={deploymentLog(organization, id)}
              steps={record.steps}
              label={`Log of deployment ${id}`}
            />
          </>
        )}
      </Loaded>
    </div>
  );
}
