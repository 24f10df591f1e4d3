import type { Deployment } from "../../contract/types.ts";
import { EventList } from "../src/pages/monitor/events/events-section.tsx";
import { MonitorFacts } from "../src/pages/monitor/facts.tsx";
import { MonitorHeader } from "../src/pages/monitor/header.tsx";
import { DaysStrip } from "../src/pages/monitor/history/days-strip.tsx";
import { ResponseTimes } from "../src/pages/monitor/history/history-section.tsx";
import { OutageNotice } from "../src/pages/monitor/outage-notice.tsx";
import { LastReport } from "../src/pages/monitor/reports/last-report.tsx";
import { PingAddress } from "../src/pages/monitor/reports/ping-address.tsx";
import { SettingsSection } from "../src/pages/monitor/settings/settings-section.tsx";
import { InOrganization } from "./in-organization.tsx";
import { ago, events, heartbeatDetails, history, hour, hours, known, monitorDetails } from "./monitor-fixtures.ts";

const deployment = {
  ...{
    id: 812,
    commit_id: "3fa92b10a4".padEnd(40, "0"),
    commit_url: null,
    git_branch: "main",
    git_tag: null,
    process_type: "deployment",
  },
  ...{
    commit_message: "Show prices with and without VAT",
    rolling_of: null,
    ended_at: hour(14, 6),
    created_at: hour(14),
  },
} as Deployment;
const other = {
  ...deployment,
  ...{ id: 809, process_type: "rollback", commit_message: "إصلاح سلة التسوق", ended_at: hour(9, 20) },
} as Deployment;

export const states = {
  "header and facts, down": () => (
    <InOrganization known={known}>
      <div className="flex flex-col gap-4">
        <MonitorHeader monitor={monitorDetails({ current_status: "down", last_status_changed_at: ago(4) })} />
        <OutageNotice monitor={monitorDetails({ current_status: "down" })} />
        <MonitorFacts monitor={monitorDetails()} />
      </div>
    </InOrganization>
  ),
  "header and facts of a heartbeat": () => (
    <InOrganization known={known}>
      <div className="flex flex-col gap-4">
        <MonitorHeader monitor={heartbeatDetails()} />
        <MonitorFacts monitor={heartbeatDetails()} />
      </div>
    </InOrganization>
  ),
  "changes often": () => (
    <InOrganization>
      <OutageNotice monitor={monitorDetails({ is_flapping: true })} />
    </InOrganization>
  ),
  "response times": () => (
    <InOrganization>
      <div className="flex flex-col gap-3">
        <ResponseTimes history={history} range="24h" deployments={[deployment, other]} />
      </div>
    </InOrganization>
  ),
  "nothing checked": () => (
    <InOrganization>
      <ResponseTimes history={{ ...history, points: [] }} range="24h" deployments={[]} />
    </InOrganization>
  ),
  "availability of a heartbeat": () => <DaysStrip history={{ ...history, points: hours }} />,
  events: () => (
    <InOrganization>
      <EventList events={events} />
    </InOrganization>
  ),
  "last report": () => <LastReport monitor={heartbeatDetails()} />,
  "nothing reported": () => <LastReport monitor={heartbeatDetails({ last_ping: null, last_ping_at: null })} />,
  "ping address": () => <PingAddress address="https://longshore.example.com/ping/0123456789abcdef" />,
  settings: () => (
    <InOrganization known={known}>
      <SettingsSection
        monitor={monitorDetails({
          notification_channels: [{ type: "email", target: "ops@example.com", on: ["down", "up"] }],
        })}
      />
    </InOrganization>
  ),
};
