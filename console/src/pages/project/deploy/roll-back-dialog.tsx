import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Planned, ProjectReply, RollbackCandidate } from "../../../../../contract/types.ts";
import { request } from "../../../api/client.ts";
import { messageOf, sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { rollbackCandidates } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import { Time } from "../../../ui/time.tsx";
import { useGoToDeployment } from "./use-deploy.ts";

interface Props {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

export function RollBackDialog(props: Props) {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={`Roll back ${props.project.name}`}>
      <RollBack {...props} />
    </Dialog>
  );
}

function RollBack({ project, onClose }: Props) {
  const candidates = useQuery(rollbackCandidates(useOrganization(), project.id));
  return (
    <Loaded query={candidates} what="The earlier releases could not be read." rows={3}>
      {(list) =>
        list[0] ? (
          <Candidates candidates={list} first={list[0]} onClose={onClose} />
        ) : (
          <p className="text-text-2">There is no earlier release that could become live again.</p>
        )
      }
    </Loaded>
  );
}

interface CandidatesProps {
  candidates: readonly RollbackCandidate[];
  first: RollbackCandidate;
  onClose: () => void;
}

function Candidates({ candidates, first, onClose }: CandidatesProps) {
  const [chosen, setChosen] = useState(String(first.id));
  const go = useGoToDeployment();
  const rollBack = useWrite("POST /api/v1/deployments/{id}/rollback", { onDone: (reply) => go(reply.deployment_id) });
  return (
    <Form onSubmit={() => rollBack.mutate({ params: { id: Number(chosen) } })}>
      <RadioGroup label="Release" value={chosen} onChange={setChosen} options={candidates.map(optionOf)} />
      <Consequence deploymentId={Number(chosen)} />
      <FormActions refusal={sentenceOf(rollBack.error)}>
        <Button type="submit" kind="primary" isPending={rollBack.isPending}>
          Roll back
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

const optionOf = ({ id, commit_id, git_branch, git_tag, description, created_at }: RollbackCandidate) => ({
  value: String(id),
  label: (
    <span className="flex items-baseline gap-2">
      <code>{commit_id.slice(0, 7)}</code>
      <span dir="auto">{git_tag ?? git_branch}</span>
    </span>
  ),
  description: (
    <span dir="auto">
      {description} · <Time at={created_at} plain />
    </span>
  ),
});

/** What the API says that the roll back would do. */
function Consequence({ deploymentId }: { deploymentId: number }) {
  const organization = useOrganization();
  const { data, error } = useQuery({
    queryKey: [organization, "deployments", deploymentId, "rollback plan"],
    queryFn: () => planOf(organization, deploymentId),
  });
  return (
    <p className={error ? "text-bad" : "text-text-2"} aria-live="polite">
      {error ? messageOf(error) : data?.message}
    </p>
  );
}

const planOf = async (organization: number, id: number): Promise<Planned> =>
  (await request("POST /api/v1/deployments/{id}/rollback", {
    organization,
    params: { id },
    query: { dry_run: true },
  })) as unknown as Planned;
