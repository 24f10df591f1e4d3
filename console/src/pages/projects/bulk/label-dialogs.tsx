import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../../../api/client.ts";
import { useOrganization } from "../../../data/organization.ts";
import { type Environment, environmentNames, projectGroups } from "../../../data/projects.ts";
import { Select } from "../../../ui/select.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { BulkDialog, projectsText } from "./bulk-dialog.tsx";
import type { ChangeProps } from "./deploy-dialogs.tsx";

const none = "none";
const missing = (chosen: string | null) => (chosen === null ? "Choose one first." : undefined);

export function GroupDialog({ onDone, ...props }: ChangeProps) {
  const organization = useOrganization();
  const [chosen, setChosen] = useState<string | null>(null);
  const groups = useQuery({ ...projectGroups(organization), enabled: props.isOpen }).data?.data ?? [];
  const name = groups.find(({ id }) => String(id) === chosen)?.name;
  const body = { project_group_id: chosen === none ? null : Number(chosen) };
  return (
    <BulkDialog
      {...props}
      verb="Set group"
      leavesOutApps={false}
      missing={missing(chosen)}
      consequence={(count) =>
        chosen === none
          ? `${projectsText(count)} will be in no group.`
          : name && `${projectsText(count)} will be in the group ${name}, and leave the one that they are in.`
      }
      change={(project_ids) => request("PUT /api/v1/projects/bulk", { organization, body: { project_ids, ...body } })}
      onDone={(count) => {
        showToast({ text: `Set the group of ${projectsText(count)}`, tone: "ok" });
        onDone();
      }}
    >
      <Select
        label="Group"
        options={[{ id: none, label: "None" }, ...groups.map(({ id, name }) => ({ id: String(id), label: name }))]}
        value={chosen}
        onChange={(id) => setChosen(String(id))}
      />
    </BulkDialog>
  );
}

const options = [
  ...Object.entries(environmentNames).map(([id, label]) => ({ id, label })),
  { id: none, label: "None" },
];

export function EnvironmentDialog({ onDone, ...props }: ChangeProps) {
  const organization = useOrganization();
  const [chosen, setChosen] = useState<string | null>(null);
  const environment = chosen === none ? null : (chosen as Environment);
  return (
    <BulkDialog
      {...props}
      verb="Set environment"
      leavesOutApps={false}
      missing={missing(chosen)}
      consequence={(count) =>
        chosen !== null &&
        (environment === null
          ? `${projectsText(count)} will have no environment.`
          : `${projectsText(count)} will be labelled ${environmentNames[environment]}.`)
      }
      change={(project_ids) =>
        request("PUT /api/v1/projects/bulk", { organization, body: { project_ids, environment } })
      }
      onDone={(count) => {
        showToast({ text: `Set the environment of ${projectsText(count)}`, tone: "ok" });
        onDone();
      }}
    >
      <Select label="Environment" options={options} value={chosen} onChange={(id) => setChosen(String(id))} />
    </BulkDialog>
  );
}
