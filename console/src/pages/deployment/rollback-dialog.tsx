import { useQuery } from "@tanstack/react-query";
import type { Planned } from "../../../../contract/types.ts";
import { request } from "../../api/client.ts";
import { messageOf } from "../../api/errors.ts";
import type { DeploymentRecord } from "../../data/deployments.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { CommitLine } from "../../parts/commit-line.tsx";
import { askForNotices } from "../../parts/ended-notice.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface RollbackDialogProps {
  deployment: DeploymentRecord;
  onClose: () => void;
  onQueued: (id: number) => void;
}

/** What a rollback makes live, and whether that has to be built again, before it is queued. */
export function RollbackDialog({ deployment, onClose, onQueued }: RollbackDialogProps) {
  const { id, project } = deployment;
  const plan = useRollbackPlan(id);
  const rollBack = useWrite("POST /api/v1/deployments/{id}/rollback", {
    touches: ["deployments"],
    onDone: ({ deployment_id: queued }) => {
      onClose();
      onQueued(queued);
    },
  });
  const confirm = () => {
    askForNotices();
    rollBack.mutate({ params: { id } });
  };
  const error = rollBack.error ?? plan.error;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Roll back ${project.name} to deployment ${id}`}
      verb="Roll back"
      onConfirm={confirm}
      isPending={rollBack.isPending}
      refusal={error ? messageOf(error) : undefined}
    >
      <CommitLine commit={deployment} />
      {plan.data ? <p>{plan.data.message}</p> : plan.isPending && <Skeleton />}
      <p>It gets the present environment variables, and is verified like any deployment.</p>
    </ConfirmDialog>
  );
}

/** As things are when one asks: never from the cache. */
function useRollbackPlan(id: number) {
  const organization = useOrganization();
  return useQuery({
    queryKey: [organization, "deployment", id, "rollback plan"],
    queryFn: async ({ signal }) => {
      const query = { dry_run: true };
      const reply = await request("POST /api/v1/deployments/{id}/rollback", {
        params: { id },
        query,
        organization,
        signal,
      });
      return reply as unknown as Planned;
    },
    gcTime: 0,
    staleTime: 0,
  });
}
