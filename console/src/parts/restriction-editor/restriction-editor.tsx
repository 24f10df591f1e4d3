import type { Restriction } from "../../../../contract/types.ts";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { ChosenRecords } from "../chosen-records/chosen-records.tsx";
import { useProjectChoice, useServerChoice } from "../chosen-records/use-choice.ts";
import { ReachPreview } from "./reach-preview.tsx";

interface Props {
  /** Null: everything in the organization. */
  value: Restriction | null;
  onChange: (value: Restriction | null) => void;
}

const options = [
  { value: "all", label: "All of the organization" },
  { value: "chosen", label: "Only chosen servers and projects" },
];

/** What a membership reaches: everything, or servers with all of their projects and further projects, with a preview by names. */
export function RestrictionEditor({ value, onChange }: Props) {
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        label="Reach"
        options={options}
        value={value === null ? "all" : "chosen"}
        onChange={(chosen) => onChange(chosen === "all" ? null : { server_ids: [], project_ids: [] })}
      />
      {value && <Chosen value={value} onChange={onChange} />}
    </div>
  );
}

function Chosen({ value, onChange }: { value: Restriction; onChange: (value: Restriction) => void }) {
  return (
    <div className="flex flex-col gap-4 border-line border-l pl-4">
      <ChosenRecords
        noun="server"
        label="Servers"
        description="With all of their projects, also those of later."
        ids={value.server_ids}
        onChange={(server_ids) => onChange({ ...value, server_ids })}
        useChoice={useServerChoice}
      />
      <ChosenRecords
        noun="project"
        label="Projects"
        description="Further ones, on other servers."
        ids={value.project_ids}
        onChange={(project_ids) => onChange({ ...value, project_ids })}
        useChoice={useProjectChoice}
      />
      <ReachPreview value={value} />
    </div>
  );
}
