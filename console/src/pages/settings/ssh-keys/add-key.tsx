import { useState } from "react";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import type { SshKey } from "../../../data/ssh-keys.ts";
import { useWrite } from "../../../data/write.ts";
import { textsOf } from "../../../parts/form-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { showToast } from "../../../ui/toast.tsx";

interface Props {
  owner: SshKey["owner"];
  disabledReason?: string | undefined;
}

export function AddKey({ owner, disabledReason }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const title = owner === "user" ? "Add SSH key" : "Add SSH key of the organization";
  return (
    <>
      <Button onPress={() => setOpen(true)} disabledReason={disabledReason} aria-label={title}>
        Add SSH key
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={title}>
        <AddForm owner={owner} onClose={close} />
      </Dialog>
    </>
  );
}

function AddForm({ owner, onClose }: { owner: SshKey["owner"]; onClose: () => void }) {
  const add = useWrite("POST /api/v1/ssh-keys", {
    touches: ["ssh_keys"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const send = (values: FormData) => {
    const { name, public_key } = textsOf(values, "name", "public_key");
    add.mutate({ body: { name, public_key: public_key.trim(), owner } });
  };
  return (
    <Form onSubmit={send} errors={fieldsOf(add.error)}>
      <TextField
        label="Name"
        name="name"
        description="To recognize it by, such as the computer that it is on."
        isRequired
        autoFocus
        maxLength={100}
        autoComplete="off"
      />
      <TextArea
        label="Public key"
        name="public_key"
        description="One line of a .pub file: ssh-ed25519, ecdsa, their variants on hardware, or RSA of 3,072 bits and more."
        placeholder="ssh-ed25519 AAAA…"
        isRequired
        rows={4}
        mono
      />
      <FormActions refusal={sentenceOf(add.error)}>
        <Button type="submit" kind="primary" isPending={add.isPending}>
          Add SSH key
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
