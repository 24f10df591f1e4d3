import { Ellipsis, Pin, PinOff, Rocket, Settings } from "lucide-react";
import { refusalOf } from "../../api/actions.ts";
import { messageOf } from "../../api/errors.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { usePin } from "../../data/pin.ts";
import type { ProjectSummary } from "../../data/projects.ts";
import { useWrite } from "../../data/write.ts";
import { paths } from "../../paths.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";

/** What can be done with one project of the list. */
export function RowMenu({ project }: { project: ProjectSummary }) {
  const o = useOrganization();
  const pin = usePin(o);
  const mayDeploy = useMay("deployment:create") && project.source_type === "git";
  const deploy = useWrite("POST /api/v1/deployments", {
    touches: ["projects"],
    onDone: ({ message, deployment_ids: [first] }) =>
      showToast({ text: message, ...(first && { link: { href: paths.deployment(o, first), label: "Deployment" } }) }),
  });
  const request = () =>
    deploy.mutate(
      { body: { project_ids: [project.id] } },
      { onError: (error) => showToast({ text: messageOf(error), tone: "bad" }) },
    );
  const deployItem: MenuItem = {
    id: "deploy",
    label: "Deploy",
    icon: Rocket,
    disabledReason: refusalOf("project", "deploy", project),
    onAction: request,
  };
  const items: MenuItem[] = [
    ...(mayDeploy ? [deployItem] : []),
    {
      id: "pin",
      label: project.is_pinned ? "Unpin" : "Pin",
      icon: project.is_pinned ? PinOff : Pin,
      onAction: () => pin.mutate(project),
    },

    { id: "settings", label: "Settings", icon: Settings, href: paths.project(o, project.id, "settings") },
  ];
  const label = `Actions of ${project.name}`;
  return (
    <Menu
      label={label}
      trigger={<IconButton label={label} icon={Ellipsis} compact excludeFromTabOrder />}
      sections={[{ items }]}
    />
  );
}
