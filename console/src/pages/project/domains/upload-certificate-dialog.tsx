import { useState } from "react";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { TextArea } from "../../../ui/text-area.tsx";

interface Props {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

export function UploadCertificateDialog(props: Props) {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={`Upload a certificate for ${props.project.name}`} wide>
      <Upload {...props} />
    </Dialog>
  );
}

function Upload({ project, onClose }: Props) {
  const [certificate, setCertificate] = useState("");
  const [key, setKey] = useState("");
  const upload = useWrite("POST /api/v1/projects/{projectId}/certificates/custom", {
    touches: ["certificates", "project", "projects"],
    onDone: onClose,
  });
  const send = () =>
    upload.mutate({ params: { projectId: project.id }, body: { certificate: certificate, private_key: key } });
  return (
    <Form onSubmit={send} errors={fieldsOf(upload.error)}>
      <TextArea
        label="Certificate"
        name="certificate"
        description="PEM: the certificate, followed by those between it and the root."
        value={certificate}
        onChange={setCertificate}
        rows={8}
        mono
        isRequired
      />
      <TextArea
        label="Private key"
        name="private_key"
        description="PEM, without a passphrase. It is stored encrypted and never shown."
        value={key}
        onChange={setKey}
        rows={6}
        mono
        isRequired
      />
      <FormActions refusal={sentenceOf(upload.error)}>
        <Button type="submit" kind="primary" isPending={upload.isPending}>
          Upload certificate
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
