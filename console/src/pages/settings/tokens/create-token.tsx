import { useState } from "react";
import type { NewToken, TokenRequest } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { textsOf } from "../../../parts/form-text.ts";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { expiries, expiryOf } from "../../../parts/token-choices.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { PermissionFields } from "./permission-fields.tsx";

type Permissions = TokenRequest["permissions"];

export function CreateToken() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)}>
        Create token
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Create token">
        <Create onClose={close} />
      </Dialog>
    </>
  );
}

function Create({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewToken>();
  return created ? (
    <ShownOnce value={created.token} copyLabel="Copy token" onClose={onClose}>
      Copy the value of <bdi className="font-medium">{created.name}</bdi>: it is shown only now.
    </ShownOnce>
  ) : (
    <CreateForm onClose={onClose} onCreated={setCreated} />
  );
}

function CreateForm({ onClose, onCreated }: { onClose: () => void; onCreated: (token: NewToken) => void }) {
  const o = useOrganization();
  const [permissions, setPermissions] = useState<Permissions>([]);
  const create = useWrite("POST /api/v1/me/tokens", { touches: ["tokens"], onDone: ({ data }) => onCreated(data) });
  const send = (values: FormData) => create.mutate({ body: requestOf(values, o, permissions) });
  return (
    <Form onSubmit={send} errors={fieldsOf(create.error)}>
      <TextField label="Name" name="name" isRequired autoFocus maxLength={100} autoComplete="off" />
      <PermissionFields value={permissions} onChange={setPermissions} />
      <Select label="Expires" name="expiry" options={expiries} defaultValue="90" />
      <Checkbox name="is_bound" value="yes" defaultSelected description="It is refused in all others.">
        Only in this organization
      </Checkbox>
      <FormActions refusal={sentenceOf(create.error)}>
        <Button
          type="submit"
          kind="primary"
          isPending={create.isPending}
          disabledReason={permissions.length === 0 ? "Choose what the token may do first." : undefined}
        >
          Create token
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

function requestOf(values: FormData, organization: number, permissions: Permissions): TokenRequest {
  const { name, expiry } = textsOf(values, "name", "expiry");
  return {
    name,
    permissions,
    expires_at: expiryOf(expiry, Date.now()),
    organization_id: organization,
    is_bound: values.has("is_bound"),
  };
}
