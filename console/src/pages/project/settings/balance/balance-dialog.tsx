import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectReply } from "../../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../../api/errors.ts";
import { type Balance, loadBalancers } from "../../../../data/balance.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { useWrite } from "../../../../data/write.ts";
import { ChosenRecords } from "../../../../parts/chosen-records/chosen-records.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../../ui/form.tsx";
import { Select } from "../../../../ui/select.tsx";
import { showToast } from "../../../../ui/toast.tsx";
import { useAppServerChoice } from "./use-app-server-choice.ts";

interface Props {
  project: ProjectReply;
  /** What is true now; undefined: it is behind no load balancer. */
  present: Balance | undefined;
  onClose: () => void;
}

export function BalanceDialog({ project, present, onClose }: Props) {
  const title = present ? `Servers of ${project.name}` : `Put ${project.name} behind a load balancer`;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <BalanceForm project={project} present={present} onClose={onClose} />
    </Dialog>
  );
}

function BalanceForm({ project: { id, server }, present, onClose }: Props) {
  const [balancer, setBalancer] = useState(present?.load_balancer_id ?? undefined);
  const [ids, setIds] = useState(nodesOf(present, server.id));
  const known = useQuery(loadBalancers(useOrganization())).data?.data ?? [];
  const set = useWrite("PUT /api/v1/projects/{id}/load-balancer", {
    touches: ["project", "projects", "deployments"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const send = () =>
    balancer !== undefined && set.mutate({ params: { id }, body: { load_balancer_id: balancer, server_ids: ids } });
  return (
    <Form onSubmit={send} errors={fieldsOf(set.error)}>
      <Select
        label="Load balancer"
        name="load_balancer_id"
        description={
          known.length === 0 ? "There is no server of the type Load Balancer: connect one first." : undefined
        }
        options={known.map((each) => ({ id: each.id, label: each.name }))}
        value={balancer ?? null}
        onChange={(chosen) => setBalancer(Number(chosen))}
        placeholder="Choose"
        isDisabled={present !== undefined}
      />
      <ChosenRecords
        noun="server"
        label="Servers"
        description="1 to 7, besides the project's own. Each gets the commit that is live, and visitors as soon as it serves."
        ids={ids}
        onChange={setIds}
        useChoice={useAppServerChoice}
      />
      <p className="text-text-2">
        The domains have to point to the load balancer. Files that the application writes stay on the server that wrote
        them, and jobs run on <bdi>{server.name}</bdi> alone.
      </p>
      <FormActions refusal={sentenceOf(set.error)}>
        <Button type="submit" kind="primary" isPending={set.isPending} disabledReason={missing(balancer, ids)}>
          {present ? "Change servers" : "Put behind load balancer"}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

/** The servers behind it besides the project's own. */
const nodesOf = (present: Balance | undefined, own: number): number[] =>
  (present?.nodes ?? [])
    .filter(({ server_id, state }) => server_id !== own && state !== "leaving")
    .map(({ server_id }) => server_id);

function missing(balancer: number | undefined, ids: readonly number[]): string | undefined {
  if (balancer === undefined) return "Choose a load balancer first.";
  return ids.length === 0 ? "Choose a server first." : undefined;
}
