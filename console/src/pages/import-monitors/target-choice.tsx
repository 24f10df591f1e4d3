import { useState } from "react";
import type { MonitorType } from "../../data/monitors.ts";
import { TargetField } from "../../parts/monitor/target-field.tsx";
import { type Target, useTargets } from "../../parts/monitor/targets.ts";
import { type ChosenProject, ProjectField } from "../../parts/project-field.tsx";
import { Button } from "../../ui/button.tsx";

interface Props {
  /** Of the monitor that needs a target. */
  name: string;
  type: MonitorType;
  /** Undefined: another one is being chosen. */
  onChoose: (target: Target | undefined) => void;
}

/** What a monitor of the export is to watch, where neither its address nor its name identifies one. */
export function TargetChoice({ name, type, onChoose }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Fields name={name} type={type} onChoose={onChoose} />;
  return (
    <Button compact className="mt-1 self-start" aria-label={`Choose target of ${name}`} onPress={() => setOpen(true)}>
      Choose target
    </Button>
  );
}

function Fields({ name, type, onChoose }: Props) {
  const [project, setProject] = useState<ChosenProject>();
  const [chosen, setChosen] = useState<string>();
  const targets = useTargets(type, project);
  const choose = (key: string) => {
    setChosen(key);
    onChoose(targets.find((each) => each.key === key));
  };
  const chooseProject = (next: ChosenProject) => {
    if (chosen !== undefined) onChoose(undefined);
    setChosen(undefined);
    setProject(next);
  };
  return (
    <fieldset aria-label={`Target of ${name}`} className="mt-1 flex max-w-96 flex-col gap-3">
      <ProjectField name="project_id" value={project} onChange={chooseProject} autoFocus />
      {project && <TargetField type={type} targets={targets} chosen={chosen} onChange={choose} />}
    </fieldset>
  );
}
