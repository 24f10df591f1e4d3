import { useState } from "react";
import { useNavigate } from "react-router";
import type { MonitorType } from "../../data/monitors.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { type CheckValues, configOf, emptyCheck } from "../../parts/monitor/check-values.ts";
import { useTargets } from "../../parts/monitor/targets.ts";
import type { ChosenProject } from "../../parts/project-field.tsx";
import { paths } from "../../paths.ts";
import { showToast } from "../../ui/toast.tsx";

export type NewMonitor = ReturnType<typeof useNewMonitor>;

/** What is chosen and typed. Name and address are those of what it watches until one types others. */
export function useNewMonitor(given: ChosenProject | undefined) {
  const [type, setType] = useState<MonitorType>("http");
  const [project, setProject] = useState(given);
  const [chosen, setTarget] = useState<string>();
  const [typedName, setName] = useState<string>();
  const [typed, setTyped] = useState<Partial<CheckValues>>({});
  const targets = useTargets(type, project);
  const free = targets.filter(({ disabledReason }) => disabledReason === undefined);
  const target = free.find(({ key }) => key === chosen) ?? free[0];
  const name = typedName ?? target?.label ?? "";
  const check: CheckValues = { ...emptyCheck, url: target?.url ?? "", ...typed };
  const creation = useCreation();
  const create = () => {
    if (!target) return;
    creation.mutate({
      body: {
        ...{ type, name: name.trim(), monitorable_type: target.type, monitorable_id: target.id },
        config: configOf(type, check),
      },
    });
  };
  return {
    ...{ type, setType, project, setProject, targets, target, setTarget, name, setName, check, create },
    setCheck: (values: Partial<CheckValues>) => setTyped((now) => ({ ...now, ...values })),
    error: creation.error,
    isPending: creation.isPending,
  };
}

function useCreation() {
  const o = useOrganization();
  const navigate = useNavigate();
  return useWrite("POST /api/v1/monitors", {
    touches: ["monitors"],
    onDone: ({ message, data }) => {
      showToast({ text: message, tone: "ok" });
      void navigate(paths.monitor(o, data.id));
    },
  });
}
