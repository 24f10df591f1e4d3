import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Account, DeviceAnswer, DeviceApproval, DeviceAuthorization } from "../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../api/errors.ts";
import { me } from "../data/me.ts";
import { useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Form, FormActions } from "../ui/form.tsx";
import { Properties, type Property } from "../ui/properties.tsx";
import { Select } from "../ui/select.tsx";
import { TextField } from "../ui/text-field.tsx";
import { Time } from "../ui/time.tsx";
import { textsOf } from "./form-text.ts";
import { choicesOf, expiries, expiryOf } from "./token-choices.ts";

interface ProgramApprovalProps {
  program: DeviceAuthorization;
  account: Account;
  /** With what the API answered, and where that leads; null: the program learns of it itself. */
  onAnswer: (message: string, to: string | null) => void;
}

/** Chooses the token that a program gets, or denies it. */
export function ProgramApproval({ program, account, onAnswer }: ProgramApprovalProps) {
  const [organization, setOrganization] = useState(account.current_organization_id ?? account.organizations[0]?.id);
  const params = { userCode: program.user_code };
  const onDone = ({ message, redirect_to }: DeviceAnswer) => onAnswer(message, redirect_to);
  const approve = useWrite("POST /api/v1/device-authorizations/{userCode}/approve", { onDone });
  const deny = useWrite("POST /api/v1/device-authorizations/{userCode}/deny", { onDone });
  const send = (values: FormData) => organization && approve.mutate({ params, body: approvalOf(values, organization) });
  return (
    <>
      <Properties narrow items={propertiesOf(program)} />
      <Form onSubmit={send} errors={fieldsOf(approve.error)}>
        <TextField
          label="Name of the token"
          name="name"
          defaultValue={program.client_name}
          maxLength={100}
          isRequired
        />
        <Select
          label="Organization"
          description="The token works in this one only."
          options={account.organizations.map(({ id, name }) => ({ id, label: name }))}
          value={organization ?? null}
          onChange={(id) => setOrganization(Number(id))}
        />
        {organization !== undefined && <Permissions key={organization} organization={organization} program={program} />}
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

/** What is known for sure comes first: the name is what the program made of it. */
function propertiesOf({ user_code, client_name, ip, created_at, oauth }: DeviceAuthorization): Property[] {
  const name = { label: "It calls itself", value: <span dir="auto">{client_name}</span> };
  if (oauth) {
    const { client_host, redirect_host, is_local } = oauth;
    const to = is_local ? `this computer (${redirect_host}), to the program that listens there` : redirect_host;
    return [
      { label: "Site", value: <strong className="font-medium">{client_host}</strong> },
      name,
      { label: "Sends you to", value: to },
    ];
  }
  return [
    { label: "Code", value: <code className="font-medium">{user_code}</code> },
    name,
    { label: "Asked from", value: ip },
    { label: "Asked", value: <Time at={created_at} /> },
  ];
}

function approvalOf(values: FormData, organization: number): DeviceApproval {
  const { name, expiry } = textsOf(values, "name", "expiry");
  return {
    name,
    permissions: values.getAll("permissions").map(String) as DeviceApproval["permissions"],
    organization_id: organization,
    expires_at: expiryOf(expiry, Date.now()),
  };
}

function Permissions({ organization, program }: { organization: number; program: DeviceAuthorization }) {
  const { data } = useQuery(me(organization));
  const allowed = data?.data.organization;
  if (!allowed) return null;
  return (
    <fieldset className="flex flex-col gap-0.5">
      <legend className="pb-1 font-medium">Permissions</legend>
      {choicesOf(allowed, program.permissions).map(({ permission, isProposed }) => (
        <Checkbox key={permission} name="permissions" value={permission} defaultSelected={isProposed}>
          {permission}
        </Checkbox>
      ))}
    </fieldset>
  );
}
