import { useState } from "react";
import type { Domain } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import { TextField } from "../../../ui/text-field.tsx";

interface Props {
  domain: Domain;
  isOpen: boolean;
  onClose: () => void;
}

export function RedirectDialog(props: Props) {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={`Redirect ${props.domain.domain_name}`}>
      <Redirect {...props} />
    </Dialog>
  );
}

const statuses = [
  { value: "301", label: "Permanent (301)" },
  { value: "302", label: "Temporary (302)" },
  { value: "308", label: "Permanent, forms are sent again (308)" },
  { value: "307", label: "Temporary, forms are sent again (307)" },
];

function Redirect({ domain, onClose }: Props) {
  const [target, setTarget] = useState("");
  const [status, setStatus] = useState(String(domain.redirect_status_code ?? 301));
  const redirect = useWrite("PUT /api/v1/projects/{projectId}/domains/{domainId}/redirect", {
    touches: ["domains", "project", "projects"],
    onDone: onClose,
  });
  const send = () =>
    redirect.mutate({
      params: { projectId: domain.project_id, domainId: domain.id },
      body: { redirect_to: target.trim(), redirect_status_code: Number(status) as 301 | 302 | 307 | 308 },
    });
  return (
    <Form onSubmit={send} errors={fieldsOf(redirect.error)}>
      <TextField
        label="Redirect to"
        name="redirect_to"
        description="A host name, or an address with http or https."
        placeholder="www.example.com"
        value={target}
        onChange={setTarget}
        isRequired
        mono
        autoFocus
      />
      <RadioGroup label="Kind" value={status} onChange={setStatus} options={statuses} />
      <FormActions refusal={sentenceOf(redirect.error)}>
        <Button type="submit" kind="primary" isPending={redirect.isPending}>
          Redirect
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
