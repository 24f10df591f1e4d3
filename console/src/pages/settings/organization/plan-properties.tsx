import type { AllowedHere, Organization } from "../../../../../contract/types.ts";
import { formatNumber } from "../../../ui/format.ts";
import { Properties } from "../../../ui/properties.tsx";

interface Props {
  plan: Organization["plan"];
  limits: AllowedHere["limits"] | undefined;
}

const planNames: Record<Organization["plan"], string> = { starter: "Starter", pro: "Pro", business: "Business" };

/** What the plan allows. */
export function PlanProperties({ plan, limits }: Props) {
  return (
    <Properties
      items={[
        { label: "Plan", value: planNames[plan] },
        ...(limits === undefined
          ? []
          : [
              { label: "Servers", value: limitText(limits.servers) },
              { label: "Monitors of each type", value: limitText(limits.monitors_of_type) },
              { label: "Health checks", value: `At most every ${limits.monitor_interval_seconds} seconds` },
            ]),
      ]}
    />
  );
}

const limitText = (limit: number | null): string => (limit === null ? "No limit" : `At most ${formatNumber(limit)}`);
