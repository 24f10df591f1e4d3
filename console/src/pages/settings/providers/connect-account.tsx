import { useState } from "react";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useAllowed } from "../../../data/me.ts";
import type { CloudType } from "../../../data/providers.ts";
import { useWrite } from "../../../data/write.ts";
import { textsOf } from "../../../parts/form-text.ts";
import { PasswordField } from "../../../parts/password-field.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { cloudOf, clouds, errorsAtFields } from "./clouds.ts";

export function ConnectAccount() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isRestricted = useAllowed()?.restriction != null;
  return (
    <>
      <Button
        kind="primary"
        onPress={() => setOpen(true)}
        disabledReason={
          isRestricted
            ? "Your membership is restricted, so you cannot decide about connections to cloud providers."
            : undefined
        }
      >
        Connect account
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Connect account">
        <ConnectForm onClose={close} />
      </Dialog>
    </>
  );
}

/** The API asks the provider before it stores anything: what it refuses, and which rights lack, is a sentence at the field. */
function ConnectForm({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<CloudType>("cloud_a");
  const connect = useWrite("POST /api/v1/server-providers", {
    touches: ["providers"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const send = (values: FormData) =>
    connect.mutate({
      body: { name: textsOf(values, "name").name, provider_type: type, credentials: credentialsIn(values, type) },
    });
  return (
    <Form onSubmit={send} errors={errorsAtFields(fieldsOf(connect.error), type)}>
      <Select
        label="Provider"
        name="provider_type"
        options={clouds}
        value={type}
        onChange={(chosen) => setType(chosen as CloudType)}
      />
      <TextField
        label="Name"
        name="name"
        description="What it is called here, such as “Production”."
        isRequired
        maxLength={100}
        autoComplete="off"
      />
      <CredentialFields key={type} type={type} />
      <FormActions refusal={sentenceOf(connect.error)}>
        <Button type="submit" kind="primary" isPending={connect.isPending}>
          Connect account
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

const CredentialFields = ({ type }: { type: CloudType }) =>
  cloudOf(type).credentials.map(({ name, label, description, isShown }) => {
    const field = { name: `credentials.${name}`, label, description };
    return isShown ? (
      <TextField key={name} {...field} isRequired mono autoComplete="off" />
    ) : (
      <PasswordField key={name} {...field} />
    );
  });

const credentialsIn = (values: FormData, type: CloudType): Record<string, string> =>
  Object.fromEntries(
    cloudOf(type).credentials.map(({ name }) => [name, String(values.get(`credentials.${name}`) ?? "").trim()]),
  );
