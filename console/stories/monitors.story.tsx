import type { MonitorImport } from "../../contract/types.ts";
import { ImportResult } from "../src/pages/import-monitors/import-result.tsx";
import { MonitorsGrid } from "../src/pages/monitors/monitors-grid.tsx";
import { NewMonitorForm } from "../src/pages/new-monitor/new-monitor-form.tsx";
import { MonitorStateIcon } from "../src/parts/monitor/monitor-state.tsx";
import { MonitorTable } from "../src/parts/monitor/monitor-table.tsx";
import { InOrganization } from "./in-organization.tsx";
import { known, monitors, options } from "./monitor-fixtures.ts";

const projects = new Map([
  [7, { name: "Shop of the marketing department", server: { id: 3, name: "web-1" } }],
  [8, { name: "متجر الكتب", server: { id: 4, name: "web-2" } }],
]);

const item = {
  config: null,
  needs_target: false,
  monitorable_type: null,
  monitorable_id: null,
  monitor_id: null,
  notes: [],
};
const result: MonitorImport = {
  ...{ dry_run: true, created: 2, skipped: 2 },
  items: [
    {
      ...item,
      item: "1",
      name: "Shop",
      type: "http",
      action: "create",
      reason: null,
      notes: ["Its keyword is left out."],
    },
    { ...item, item: "2", name: "متجر الكتب", type: "http", action: "create", reason: null },
    {
      ...{ ...item, item: "3", name: "A name server that is asked every twenty seconds", type: null, action: "skip" },
      reason: "Monitors of the type dns have no counterpart here.",
    },
    {
      ...{ ...item, item: "4", name: "Weekly report", type: "heartbeat", action: "skip", needs_target: true },
      reason: 'No job in reach is named "Weekly report". Give a job this name, or choose what the monitor watches.',
    },
  ],
};

export const states = {
  "states of monitors": () => (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      {monitors.map((monitor) => (
        <MonitorStateIcon key={monitor.id} monitor={monitor} />
      ))}
    </div>
  ),
  "list of monitors": () => (
    <InOrganization>
      <MonitorsGrid rows={monitors} total={monitors.length} projects={projects} onReachEnd={() => {}} />
    </InOrganization>
  ),
  "monitors of a project": () => (
    <InOrganization>
      <MonitorTable monitors={monitors} />
    </InOrganization>
  ),
  "new monitor": () => (
    <InOrganization known={known}>
      <NewMonitorForm options={options} project={undefined} />
    </InOrganization>
  ),
  "what an import would do": () => (
    <InOrganization>
      <ImportResult result={result} targets={new Map()} onChoose={() => {}} />
    </InOrganization>
  ),
};
