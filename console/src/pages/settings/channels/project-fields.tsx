import { useAllowed } from "../../../data/me.ts";
import { ChosenRecords } from "../../../parts/chosen-records/chosen-records.tsx";
import { useProjectChoice } from "../../../parts/chosen-records/use-choice.ts";
import { RadioGroup } from "../../../ui/radio-group.tsx";

interface Props {
  /** Null: everything, also what belongs to no project. */
  value: readonly number[] | null;
  onChange: (value: readonly number[] | null) => void;
}

/** Of which projects a channel is notified. A restricted member can only choose some. */
export function ProjectFields({ value, onChange }: Props) {
  const isRestricted = useAllowed()?.restriction != null;
  const options = [
    {
      value: "all",
      label: "All projects",
      description: "And what belongs to servers and to no project.",
      disabledReason: isRestricted ? "Your membership does not reach the whole organization." : undefined,
    },
    { value: "chosen", label: "Only chosen projects" },
  ];
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        label="Projects"
        options={options}
        value={value === null ? "all" : "chosen"}
        onChange={(chosen) => onChange(chosen === "all" ? null : [])}
      />
      {value && (
        <div className="border-line border-l pl-4">
          <ChosenRecords
            noun="project"
            label="Chosen projects"
            description="What happens to others, and to servers, is not sent."
            ids={value}
            onChange={onChange}
            useChoice={useProjectChoice}
          />
        </div>
      )}
    </div>
  );
}
