import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { frameworks, projectGroups } from "../../../data/projects.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { useProject } from "../use-project.ts";
import { BalanceSection } from "./balance/section.tsx";
import { DangerSection } from "./danger-section.tsx";
import { MoveSection } from "./move/section.tsx";
import { PhpSection } from "./php-section.tsx";
import { ProtectionSection } from "./protection-section.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { WebhookSection } from "./webhook-section.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const o = Number(params.organization);
  return prefetch(frameworks(o), projectGroups(o));
};

/** What a project is called, where it comes from, how it is built and served, and its end. */
export function Component(): ReactNode {
  const project = useProject();
  const known = useQuery(frameworks(useOrganization()));
  const framework = known.data?.data.find(({ id }) => id === project.framework_id);
  const mayDelete = useMay("project:delete");
  const mayUpdate = useMay("project:update");
  return (
    <div className="flex flex-col gap-8">
      <Loaded query={known} what="The settings could not be read." rows={6}>
        {({ data }) => <SettingsForm project={project} frameworks={data} />}
      </Loaded>
      {framework?.runtime_family === "php" && <PhpSection project={project} />}
      {mayUpdate && <ProtectionSection project={project} />}
      {mayUpdate && project.source_type === "git" && <WebhookSection project={project} />}
      {mayUpdate && <MoveSection project={project} />}
      {mayUpdate && project.source_type !== "app" && <BalanceSection project={project} />}
      {mayDelete && <DangerSection project={project} />}
    </div>
  );
}
