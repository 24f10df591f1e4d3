import { useState } from "react";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { textsOf } from "../../../parts/form-text.ts";
import { PasswordField } from "../../../parts/password-field.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { credentialsOf, type HostType, hosts } from "./hosts.ts";

export function ConnectGitHost() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)}>
        Connect git host
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Connect git host">
        <ConnectForm onClose={close} />
      </Dialog>
    </>
  );
}

/** The API asks the host before it stores anything: a token that the host refuses is a sentence at its field. */
function ConnectForm({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<HostType>("git_host_a");
  const connect = useWrite("POST /api/v1/source-providers", {
    touches: ["git_hosts"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const send = (values: FormData) => {
    const { name } = textsOf(values, "name");
    connect.mutate({ body: { name, provider_type: type, credentials: typedCredentials(values) } });
  };
  return (
    <Form onSubmit={send} errors={fieldsOf(connect.error)}>
      <Select
        label="Host"
        name="provider_type"
        options={hosts}
        value={type}
        onChange={(chosen) => setType(chosen as HostType)}
      />
      <TextField
        label="Name"
        name="name"
        description="What it is called here, such as “Company GitHub”."
        isRequired
        maxLength={100}
        autoComplete="off"
      />
      <PasswordField
        key={type}
        label="Token"
        name="credentials.token"
        description={hosts.find(({ id }) => id === type)?.token}
      />
      {type === "git_host_c" && <BitbucketFields />}
      <FormActions refusal={sentenceOf(connect.error)}>
        <Button type="submit" kind="primary" isPending={connect.isPending}>
          Connect git host
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

function typedCredentials(values: FormData) {
  const text = (name: string) => String(values.get(`credentials.${name}`) ?? "");
  return credentialsOf({ token: text("token"), username: text("username"), workspace: text("workspace") });
}

/** Either makes sense with one kind of token. */
const BitbucketFields = () => (
  <>
    <TextField
      label="Email of the account"
      name="credentials.username"
      description="With an API token."
      autoComplete="off"
    />
    <TextField label="Workspace" name="credentials.workspace" description="With an access token." autoComplete="off" />
  </>
);
