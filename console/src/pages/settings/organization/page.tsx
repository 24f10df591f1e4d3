import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { useAllowed } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { organizationActions, organizationRecord } from "../../../data/organization-settings.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { LeaveSection } from "./leave-section.tsx";
import { NameSection } from "./name-section.tsx";
import { PlanProperties } from "./plan-properties.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const o = Number(params.organization);
  return prefetch(organizationRecord(o), organizationActions(o));
};

/** What the organization is called and may have, and the way out of it. */
export function Component(): ReactNode {
  const query = useQuery(organizationRecord(useOrganization()));
  const limits = useAllowed()?.limits;
  return (
    <Loaded query={query} what="The organization could not be read." rows={4}>
      {({ data }) => (
        <div className="flex flex-col gap-8">
          <NameSection organization={data} />
          <Section title="Plan" description="The operator of this installation can change it.">
            <PlanProperties plan={data.plan} limits={limits} />
          </Section>
          <LeaveSection organization={data} />
        </div>
      )}
    </Loaded>
  );
}
