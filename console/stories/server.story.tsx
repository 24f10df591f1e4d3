import type { Setup } from "../../contract/types.ts";
import { Connection } from "../src/pages/server/connect-section.tsx";
import { Attention } from "../src/pages/server/setup/attention.tsx";
import { PhaseTable, SlowestTable } from "../src/pages/server/setup/phases.tsx";
import { SetupSummary } from "../src/pages/server/setup/summary.tsx";
import { ServerState } from "../src/parts/server-state/server-state.tsx";
import { ShareCell, ShareLine } from "../src/parts/server-state/usage.tsx";

const attention: Setup["attention"] = [
  {
    key: "packages",
    label: "Install packages",
    phase: "base",
    duration_ms: 42_000,
    status: "failed",
    status_label: "Failed",
    detail: "E: Unable to locate package php8.9-fpm",
    started_at: null,
    finished_at: null,
  },
];

const setup: Setup = {
  server_id: 1,
  run_id: 1,
  recorded: true,
  state: "failed",
  summary: { total: 24, pending: 5, running: 0, completed: 18, failed: 1, skipped: 0, unreported: 0 },
  phases: [
    { phase: "base", label: "Base system", total: 12, completed: 11, failed: 1, duration_ms: 61_000 },
    { phase: "web", label: "Web server", total: 12, completed: 7, duration_ms: 12_400 },
  ],
  attention,
  slowest: attention,
  total_duration_ms: 73_400,
  current_step: "Install packages",
  error: "The package sources could not be read three times.",
};

const serverStates = ["installing", "provisioning", "ready", "unreachable"] as const;
const shares = [0.12, 0.62, 0.96].map((share) => ({ share, text: `${share * 8} GB of 8 GB` }));

export const states = {
  "states of servers": () => (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      {serverStates.map((state) => (
        <ServerState key={state} server={{ state, setup: { state: "running", attention_count: 0 } }} />
      ))}
      <ServerState server={{ state: "provisioning", setup: { state: "failed", attention_count: 1 } }} />
    </div>
  ),
  "load, memory and disk": () => (
    <div className="flex flex-wrap gap-8">
      {shares.map((value) => (
        <ShareCell key={value.share} value={value} />
      ))}
      {shares.map((value) => (
        <ShareLine key={value.share} value={value} />
      ))}
    </div>
  ),
  "first connection": () => (
    <div className="flex flex-col gap-3">
      <Connection server={{ connection_status: 0, connection_error: null, connection_problem: null }} />
      <Connection
        server={{
          connection_status: 0,
          connection_error: "web-1 (203.0.113.7) refused the key.",
          connection_problem: "key_refused",
        }}
      />
      <Connection server={{ connection_status: 1, connection_error: null, connection_problem: null }} />
    </div>
  ),
  "setup that gave up": () => (
    <div className="flex flex-col gap-6">
      <SetupSummary setup={setup} actions={null} />
      <Attention steps={setup.attention} />
      <PhaseTable phases={setup.phases} />
      <SlowestTable steps={setup.slowest} />
    </div>
  ),
};
