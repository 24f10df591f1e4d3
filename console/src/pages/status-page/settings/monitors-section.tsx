import { useMonitorChoice } from "../../../parts/chosen-records/use-choice.ts";
import { ComboBox } from "../../../ui/combo-box.tsx";
import { Section } from "../../../ui/section.tsx";
import { useSearch } from "../../../ui/use-search.ts";
import { ShownMonitors } from "./shown-monitors.tsx";
import type { SettingsDraft } from "./values.ts";

interface Props {
  draft: SettingsDraft;
  mayManage: boolean;
}

export function MonitorsSection({ draft: { values, set }, mayManage }: Props) {
  const search = useSearch();
  const ids = values.monitors.map(({ id }) => id);
  const { found, isLoading, names } = useMonitorChoice(search.q, ids);
  const choose = (id: number) => {
    set({ monitors: [...values.monitors, { id, label: null }] });
    search.choose("");
  };
  return (
    <Section
      title="Monitors"
      description="In the order in which visitors see them, under the names that you give them. Those that are switched off are left out."
    >
      {values.monitors.length === 0 && <p className="text-text-2">None is chosen: visitors see incidents alone.</p>}
      <ShownMonitors
        monitors={values.monitors}
        names={names}
        onChange={mayManage ? (monitors) => set({ monitors }) : undefined}
      />
      {mayManage && (
        <ComboBox
          label="Add monitor"
          name="monitors"
          options={found.filter(({ id }) => !ids.includes(Number(id)))}
          isLoading={isLoading}
          empty="No other monitor has this name."
          search={search}
          value={null}
          onChange={(id) => id !== null && choose(Number(id))}
        />
      )}
    </Section>
  );
}
