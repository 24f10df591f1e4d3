import type { CloudOptions, CloudProvider } from "../../../../../contract/types.ts";
import { TypeChoice } from "../../../parts/machine-types/type-choice.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { systems } from "../server-fields.tsx";
import { type Choice, fieldsBy } from "./choice.ts";

interface Props {
  options: CloudOptions;
  provider: CloudProvider["provider_type"];
  choice: Choice;
  onChange: (choice: Choice) => void;
}

/** The machine itself, its system and its network. */
export function MachineFields({ options, provider, choice, onChange }: Props) {
  const names = fieldsBy[provider];
  return (
    <>
      <TypeChoice
        name={names.type}
        types={options.server_types ?? []}
        omitted={options.omitted_types ?? []}
        chosen={choice.type}
        onChange={(type) => onChange({ ...choice, type })}
      />
      {!choice.snapshot && (
        <Select
          label="Operating system"
          name="server_os"
          options={systemsOf(options)}
          value={choice.system}
          onChange={(system) => onChange({ ...choice, system: String(system) })}
        />
      )}
      <NetworkField options={options} provider={provider} choice={choice} onChange={onChange} />
      {names.volume && (
        <TextField
          label="Volume size"
          name={names.volume}
          inputMode="numeric"
          after="GB"
          value={choice.volume}
          onChange={(volume) => onChange({ ...choice, volume })}
          isRequired
        />
      )}
    </>
  );
}

/** Those that the place has an image of. */
function systemsOf({ images = [] }: CloudOptions) {
  const sold = new Set(images.map(({ server_os }) => server_os));
  return Object.entries(systems)
    .filter(([id]) => sold.has(id))
    .map(([id, label]) => ({ id, label }));
}

const none = "";

function NetworkField({ options, provider, choice, onChange }: Props) {
  const { networks = [], private_networks: own = [] } = options;
  const hasSubnets = provider === "cloud_b";
  const choices = hasSubnets
    ? networks.flatMap(({ subnets }) => subnets.map(({ id, name, cidr }) => ({ id, label: `${name ?? id}, ${cidr}` })))
    : [{ id: none, label: "None" }, ...own.map(({ id, name, cidr }) => ({ id, label: `${name ?? id}, ${cidr}` }))];
  if (!hasSubnets && own.length === 0) return null;
  return (
    <Select
      label={hasSubnets ? "Subnet" : "Private network"}
      name={fieldsBy[provider].network}
      options={choices}
      value={choice.network ?? (hasSubnets ? null : none)}
      onChange={(id) => onChange({ ...choice, network: id === none ? undefined : String(id) })}
      placeholder="Choose"
      isRequired={hasSubnets}
    />
  );
}
