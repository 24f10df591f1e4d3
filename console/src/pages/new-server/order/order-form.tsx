import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CloudOptions, CloudProvider } from "../../../../../contract/types.ts";
import { fieldsOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { providerOptions } from "../../../data/servers.ts";
import type { Snapshot } from "../../../data/snapshots.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Submit } from "../../../parts/submit.tsx";
import { Form } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import type { ServerFormProps } from "../form-props.ts";
import { NameField, ServerFields, serverValues } from "../server-fields.tsx";
import { type Choice, fieldsBy, orderOf } from "./choice.ts";
import { MachineFields } from "./machine-fields.tsx";
import { SnapshotField } from "./snapshot-field.tsx";
import { Total } from "./total.tsx";

interface Props extends ServerFormProps {
  accounts: readonly CloudProvider[];
  /** To order from, at first. */
  snapshot: Snapshot | undefined;
}

const firstChoice = { volume: "20", system: "ubuntu_24_04" };

/** Account, place, type: each choice decides what the next one has. */
export function OrderForm({ accounts, snapshot, onSubmit, error, isPending }: Props) {
  const [choice, setChoice] = useState<Choice>(() => {
    const account = snapshot ? accounts.find(({ id }) => id === snapshot.provider_id) : accounts[0];
    return { ...firstChoice, account, snapshot, location: snapshot?.location };
  });
  const order = orderOf(choice);
  const { account, location } = choice;
  const submit = (values: FormData) => order && onSubmit({ ...serverValues(values), ...order });
  return (
    <Form aria-label="Order server" errors={fieldsOf(error)} onSubmit={submit}>
      <NameField />
      <Select
        label="Account"
        name="provider_id"
        options={accounts.map(({ id, name, label }) => ({ id, label: name, description: label }))}
        value={account?.id ?? null}
        onChange={(id) => {
          setChoice({ ...choice, ...nothing, snapshot: undefined, account: accounts.find((each) => each.id === id) });
        }}
      />
      {account && (
        <SnapshotField
          provider={account.id}
          snapshot={choice.snapshot}
          onChange={(next) => setChoice({ ...choice, snapshot: next })}
        />
      )}
      {account && (
        <Place
          account={account}
          location={location}
          onChange={(next) => setChoice({ ...choice, ...nothing, location: next })}
        />
      )}
      {account && location && <Machine account={account} location={location} choice={choice} onChange={setChoice} />}
      <ServerFields />
      {order && <Total order={order} />}
      <Submit isPending={isPending} error={error}>
        Order server
      </Submit>
    </Form>
  );
}

/** What a choice before makes void. */
const nothing = { location: undefined, type: undefined, network: undefined };

interface PlaceProps {
  account: CloudProvider;
  location: string | undefined;
  onChange: (location: string) => void;
}

function Place({ account, location, onChange }: PlaceProps) {
  const places = useQuery(providerOptions(useOrganization(), account.id));
  return (
    <Loaded query={places} what="The places could not be read." rows={1}>
      {({ data: { locations = [] } }) => (
        <Select
          label="Place"
          name={fieldsBy[account.provider_type].location}
          options={locations.map(({ id, name, country }) => ({ id, label: country ? `${name}, ${country}` : name }))}
          value={location ?? null}
          onChange={(id) => onChange(String(id))}
          placeholder="Choose"
          isRequired
        />
      )}
    </Loaded>
  );
}

interface MachineProps {
  account: CloudProvider;
  location: string;
  choice: Choice;
  onChange: (choice: Choice) => void;
}

function Machine({ account, location, ...rest }: MachineProps) {
  const options = useQuery(providerOptions(useOrganization(), account.id, location));
  return (
    <Loaded query={options} what="What can be ordered could not be read." rows={6}>
      {({ data }: { data: CloudOptions }) => (
        <MachineFields options={data} provider={account.provider_type} {...rest} />
      )}
    </Loaded>
  );
}
