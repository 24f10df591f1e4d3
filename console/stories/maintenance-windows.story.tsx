import { useState } from "react";
import { OnceFields, RepeatingFields } from "../src/pages/maintenance-windows/time-fields.tsx";
import { newValues, type WindowValues } from "../src/pages/maintenance-windows/values.ts";
import { WindowSections } from "../src/pages/maintenance-windows/window-sections.tsx";
import { targetNames, windows } from "./maintenance-window-fixtures.ts";

function Fields({ first }: { first: Partial<WindowValues> }) {
  const [values, setValues] = useState({ ...newValues(false), timezone: "Europe/Berlin", ...first });
  const set = (changed: Partial<WindowValues>) => setValues((now) => ({ ...now, ...changed }));
  return (
    <div className="flex max-w-96 flex-col gap-4">
      {values.repeats ? <RepeatingFields values={values} set={set} /> : <OnceFields values={values} set={set} />}
    </div>
  );
}

export const states = {
  "windows for those who only read": () => <WindowSections windows={windows} names={targetNames} onOpen={undefined} />,
  "times of a window that is once": () => <Fields first={{ starts_at: "2026-12-24T22:00" }} />,
  "times of a repeating window": () => <Fields first={{ repeats: true, cron_expression: "0 3 * * 0" }} />,
};
