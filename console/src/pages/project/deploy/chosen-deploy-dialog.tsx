import { useState } from "react";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useDeploy } from "./use-deploy.ts";

interface Props {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

export function ChosenDeployDialog(props: Props) {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={`Deploy ${props.project.name}`}>
      <ChosenDeploy {...props} />
    </Dialog>
  );
}

function ChosenDeploy({ project, onClose }: Props) {
  const [branch, setBranch] = useState(project.repository_branch ?? "");
  const [commit, setCommit] = useState("");
  const deploy = useDeploy();
  const send = () =>
    deploy.mutate({
      body: {
        project_ids: [project.id],
        ...(branch.trim() && { branch: branch.trim() }),
        ...(commit.trim() && { commit_id: commit.trim() }),
      },
    });
  return (
    <Form onSubmit={send} errors={fieldsOf(deploy.error)}>
      <TextField
        label="Branch"
        name="branch"
        description="The settings of the project keep their branch."
        value={branch}
        onChange={setBranch}
        mono
        autoFocus
      />
      <TextField
        label="Commit"
        name="commit_id"
        description="Complete, or its first characters. Empty: the newest of the branch."
        value={commit}
        onChange={setCommit}
        mono
        autoComplete="off"
      />
      <FormActions refusal={sentenceOf(deploy.error)}>
        <Button type="submit" kind="primary" isPending={deploy.isPending}>
          Deploy
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
