import { useQuery } from "@tanstack/react-query";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { attention, latestDeployments, overview } from "../../data/overview.ts";
import { useTitle } from "../../parts/use-title.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Counts } from "./counts.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Latest } from "./latest.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { Running } from "./running.tsx";

export function loader({ params }: LoaderFunctionArgs) {
  const o = Number(params.organization);
  return prefetch(overview(o), attention(o), latestDeployments(o));
}

/** What needs attention now, what runs, and what happened last. */
export function Component() {
  useTitle("Overview");
  const o = useOrganization();
  const readsProjects = useMay("project:read");
  const latest = useQuery({ ...latestDeployments(o), enabled: readsProjects });
  const isNew = latest.data?.data.length === 0;
  // What stands below would move when it comes.
  const knowsAttention = !useQuery(attention(o)).isPending;
  const showsDeployments = readsProjects && !isNew && knowsAttention;
  return (
    <div className="flex flex-col gap-8">
      <PageHeader title="Overview" />
      {!isNew && <Counts />}
      {isNew && <FirstSteps />}
      <NeedsAttention />
      {showsDeployments && <Running />}
      {showsDeployments && <Latest query={latest} />}
    </div>
  );
}
