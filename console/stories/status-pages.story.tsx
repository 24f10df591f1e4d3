import { IncidentList } from "../src/pages/status-page/incidents/incident-list.tsx";
import { ShownMonitors } from "../src/pages/status-page/settings/shown-monitors.tsx";
import { incidents, monitorNames, statusPage } from "./status-page-fixtures.ts";

export const states = {
  "incidents for those who only read": () => <IncidentList incidents={incidents} onOpen={undefined} />,
  "monitors of a page": () => <ShownMonitors monitors={statusPage.monitors} names={monitorNames} onChange={() => {}} />,
  "monitors for those who only read": () => (
    <ShownMonitors monitors={statusPage.monitors} names={monitorNames} onChange={undefined} />
  ),
};
