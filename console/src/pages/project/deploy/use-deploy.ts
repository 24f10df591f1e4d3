import { useEffect } from "react";
import { useNavigate } from "react-router";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { askForNotices } from "../../../parts/ended-notice.ts";
import { paths } from "../../../paths.ts";
import { loadPage } from "../../../routes.tsx";

/** Goes to a deployment that was just requested: what follows is shown there. */
export function useGoToDeployment(): (id: number | undefined) => void {
  const organization = useOrganization();
  const navigate = useNavigate();
  // The page is there when the answer is.
  useEffect(() => loadPage(paths.deployment(organization, 0)), [organization]);
  return (id) => {
    if (id === undefined) return;
    askForNotices();
    // At once: what this page reads because of the deployment would restart its rendering.
    void navigate(paths.deployment(organization, id), { flushSync: true });
  };
}

/** Deploys projects, and goes to the deployment of the first. */
export function useDeploy() {
  const go = useGoToDeployment();
  return useWrite("POST /api/v1/deployments", { onDone: ({ deployment_ids: [first] }) => go(first) });
}
