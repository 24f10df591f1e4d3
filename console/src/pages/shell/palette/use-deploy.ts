import { Rocket } from "lucide-react";
import { useNavigate } from "react-router";
import { request } from "../../../api/client.ts";
import { messageOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { paths } from "../../../paths.ts";
import type { PaletteItem } from "../../../ui/palette.tsx";
import { showToast } from "../../../ui/toast.tsx";

/** Makes the entry that deploys a project and opens its deployment. */
export function useDeploy(): (project: { id: number; name: string }) => PaletteItem {
  const o = useOrganization();
  const navigate = useNavigate();
  const deploy = async (id: number, name: string) => {
    try {
      const { deployment_ids } = await request("POST /api/v1/deployments", {
        organization: o,
        body: { project_ids: [id] },
      });
      if (deployment_ids[0]) await navigate(paths.deployment(o, deployment_ids[0]));
    } catch (error) {
      // The palette is closed: its place for a refusal is gone.
      showToast({
        text: `${name}: ${messageOf(error)}`,
        tone: "bad",
        link: { href: paths.project(o, id), label: "Open" },
      });
    }
  };
  return ({ id, name }) => ({
    id: `deploy:${id}`,
    label: `Deploy ${name}`,
    icon: Rocket,
    onAction: () => void deploy(id, name),
  });
}
