import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Account, DeviceApproval, DeviceAuthorization } from "../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../api/errors.ts";
import { me } from "../../data/me.ts";
import { useWrite } from "../../data/write.ts";
import { textsOf } from "../../parts/form-text.ts";
import { choicesOf, expiries, expiryOf } from "../../parts/token-choices.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { Properties } from "../../ui/properties.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Time } from "../../ui/time.tsx";

interface ApprovalProps {
  device: DeviceAuthorization;
  account: Account;
  /** With what the API answered. */
  onAnswer: (message: string) => void;
}

export function Approval({ device, account, onAnswer }: ApprovalProps) {
  const [organization, setOrganization] = useState(account.current_organization_id ?? account.organizations[0]?.id);
  const params = { userCode: device.user_code };
  const onDone = ({ message }: { message: string }) => onAnswer(message);
  const approve = useWrite("POST /api/v1/device-authorizations/{userCode}/approve", { onDone });
  const deny = useWrite("POST /api/v1/device-authorizations/{userCode}/deny", { onDone });
  const send = (values: FormData) => organization && approve.mutate({ params, body: approvalOf(values, organization) });
  return (
    <>
      <Properties narrow items={propertiesOf(device)} />
      <Form onSubmit={send} errors={fieldsOf(approve.error)}>
        <TextField label="Name of the token" name="name" defaultValue={device.client_name} maxLength={100} isRequired />
        <Select
          label="Organization"
          description="The token works in this one only."
          options={account.organizations.map(({ id, name }) => ({ id, label: name }))}
          value={organization ?? null}
          onChange={(id) => setOrganization(Number(id))}
        />
        {organization !== undefined && <Permissions key={organization} organization={organization} device={device} />}
        <Select label="Expires" name="expiry" options={expiries} defaultValue="90" />
        <FormActions refusal={sentenceOf(approve.error ?? deny.error)}>
          <Button type="submit" kind="primary" isPending={approve.isPending}>
            Approve
          </Button>
          <Button onPress={() => deny.mutate({ params })} isPending={deny.isPending}>
            Deny
          </Button>
        </FormActions>
      </Form>
    </>
  );
}

const propertiesOf = ({ user_code, client_name, ip, created_at }: DeviceAuthorization) => [
  { label: "Code", value: <code className="font-medium">{user_code}</code> },
  { label: "It calls itself", value: <span dir="auto">{client_name}</span> },
  { label: "Asked from", value: ip },
  { label: "Asked", value: <Time at={created_at} /> },
];

function approvalOf(values: FormData, organization: number): DeviceApproval {
  const { name, expiry } = textsOf(values, "name", "expiry");
  return {
    name,
    permissions: values.getAll("permissions").map(String) as DeviceApproval["permissions"],
    organization_id: organization,
    expires_at: expiryOf(expiry, Date.now()),
  };
}

function Permissions({ organization, device }: { organization: number; device: DeviceAuthorization }) {
  const { data } = useQuery(me(organization));
  const allowed = data?.data.organization;
  if (!allowed) return null;
  return (
    <fieldset className="flex flex-col gap-0.5">
      <legend className="pb-1 font-medium">Permissions</legend>
      {choicesOf(allowed, device.permissions).map(({ permission, isProposed }) => (
        <Checkbox key={permission} name="permissions" value={permission} defaultSelected={isProposed}>
          {permission}
        </Checkbox>
      ))}
    </fieldset>
  );
}
