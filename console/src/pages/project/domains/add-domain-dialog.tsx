import { useState } from "react";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { DomainCheck } from "../../../parts/domain-check.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { TextField } from "../../../ui/text-field.tsx";

interface Props {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

export function AddDomainDialog(props: Props) {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={`Add a domain to ${props.project.name}`}>
      <AddDomain {...props} />
    </Dialog>
  );
}

function AddDomain({ project, onClose }: Props) {
  const [name, setName] = useState("");
  const add = useWrite("POST /api/v1/projects/{id}/domains", {
    touches: ["domains", "project", "projects"],
    onDone: onClose,
  });
  const send = () => add.mutate({ params: { id: project.id }, body: { domain: name.trim() } });
  return (
    <Form onSubmit={send} errors={fieldsOf(add.error)}>
      <TextField
        label="Domain"
        name="domain"
        description="A host name, such as www.example.com."
        value={name}
        onChange={(text) => {
          setName(text);
          if (add.isError) add.reset();
        }}
        isRequired
        mono
        autoFocus
        autoComplete="off"
      />
      {/* Visitors reach the load balancer where there is one. */}
      <DomainCheck name={name} serverId={project.load_balancer_id ?? project.server_id} />
      <FormActions refusal={sentenceOf(add.error)}>
        <Button type="submit" kind="primary" isPending={add.isPending}>
          Add domain
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
