import { type Environment, environmentNames } from "../data/projects.ts";
import { Select } from "../ui/select.tsx";

const none = "none";
const options = [
  { id: none, label: "None" },
  ...Object.entries(environmentNames).map(([id, label]) => ({ id, label })),
];

interface Props {
  value: Environment | null;
  onChange: (environment: Environment | null) => void;
}

/** The label of a project or a server. */
export const EnvironmentField = ({ value, onChange }: Props) => (
  <Select
    label="Environment"
    name="environment"
    options={options}
    value={value ?? none}
    onChange={(id) => onChange(id === none ? null : (id as Environment))}
  />
);
