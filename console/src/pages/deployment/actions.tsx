import { Ban, RotateCcw, RotateCw } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Action, DeploymentActions as Actions } from "../../../../contract/types.ts";
import { refusalOf } from "../../api/actions.ts";
import { messageOf } from "../../api/errors.ts";
import { type DeploymentRecord, hasEnded } from "../../data/deployments.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { askForNotices } from "../../parts/ended-notice.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { RollbackDialog } from "./rollback-dialog.tsx";

interface ActionsProps {
  deployment: DeploymentRecord;
  /** As the API has evaluated them; undefined: not yet, or it could not be read. */
  actions: Actions | undefined;
}

/** While it is under way one can cancel it; afterwards run it again, or roll back to it. */
export function DeploymentActions({ deployment, actions }: ActionsProps) {
  if (!useMay("deployment:create")) return null;
  if (!hasEnded(deployment)) return <CancelButton deployment={deployment} action={actions?.cancel} />;
  return (
    <>
      <RunAgainButton deployment={deployment} action={actions?.rerun} />
      <RollBackButton deployment={deployment} action={actions?.roll_back} />
    </>
  );
}

interface ButtonProps {
  deployment: DeploymentRecord;
  action: Action | undefined;
}

type Verb = "cancel" | "rerun" | "roll_back";

/** The sentence of the API; until that has come, what the record itself says. */
const reasonOf = (verb: Verb, { deployment, action }: ButtonProps): string | undefined =>
  refusalOf("deployment", verb, deployment) ?? action?.message ?? undefined;

function CancelButton(props: ButtonProps) {
  const { id } = props.deployment;
  const cancel = useWrite("POST /api/v1/deployments/{id}/cancel", { touches: ["deployment", "deployments"] });
  return (
    <>
      <Refusal error={cancel.error} />
      <Button
        icon={Ban}
        onPress={() => cancel.mutate({ params: { id } })}
        isPending={cancel.isPending}
        disabledReason={reasonOf("cancel", props)}
      >
        Cancel deployment
      </Button>
    </>
  );
}

function RunAgainButton(props: ButtonProps) {
  const { id, status } = props.deployment;
  const show = useShownDeployment();
  const rerun = useWrite("POST /api/v1/deployments/{id}/rerun", {
    touches: ["deployments"],
    onDone: ({ deployment_id: queued }) => show(queued),
  });
  const press = () => {
    askForNotices();
    rerun.mutate({ params: { id } });
  };
  const failed = 2;
  return (
    <>
      <Refusal error={rerun.error} />
      <Button
        icon={RotateCw}
        kind={status === failed ? "primary" : "secondary"}
        onPress={press}
        isPending={rerun.isPending}
        disabledReason={reasonOf("rerun", props)}
      >
        Run again
      </Button>
    </>
  );
}

function RollBackButton(props: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const show = useShownDeployment();
  return (
    <>
      <Button icon={RotateCcw} onPress={() => setOpen(true)} disabledReason={reasonOf("roll_back", props)}>
        Roll back
      </Button>
      {isOpen && <RollbackDialog deployment={props.deployment} onClose={() => setOpen(false)} onQueued={show} />}
    </>
  );
}

function useShownDeployment(): (id: number) => void {
  const organization = useOrganization();
  const navigate = useNavigate();
  return (id) => void navigate(paths.deployment(organization, id));
}

const Refusal = ({ error }: { error: Error | null }) =>
  error && (
    <p role="alert" className="max-w-96 text-bad">
      {messageOf(error)}
    </p>
  );
