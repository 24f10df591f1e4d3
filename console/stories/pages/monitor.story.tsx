import { events, heartbeatDetails, history, monitorDetails } from "../monitor-fixtures.ts";
import { pageStory } from "../page-story.tsx";
import { deployments } from "../records.ts";

const down = { current_status: "down", last_status_changed_at: events[0]?.created_at ?? null } as const;

export const { alone, states } = pageStory({
  address: "/o/1/monitors/1",
  filled: {
    "GET /api/v1/monitors/{id}": { status: "success", data: monitorDetails(down) },
    "GET /api/v1/monitors/{id}/history": { status: "success", data: history },
    "GET /api/v1/monitors/{id}/events": { data: [...events], next_before: 12 },
    "GET /api/v1/deployments": {
      data: deployments(2).map((each, index) => ({
        ...each,
        status: 1,
        ended_at: history.points[index * 9 + 4]?.at ?? null,
      })),
      next_before: null,
    },
  },
  others: {
    heartbeat: { "GET /api/v1/monitors/{id}": { status: "success", data: heartbeatDetails() } },
    "nothing yet": {
      "GET /api/v1/monitors/{id}": {
        status: "success",
        data: monitorDetails({
          ...{ current_status: "pending", last_status_changed_at: null, last_checked_at: null, recent: [], events: [] },
          ...{ uptime_24h: null, uptime_7d: null, certificate_expires_at: null },
        }),
      },
      "GET /api/v1/monitors/{id}/history": {
        status: "success",
        data: { ...history, uptime: null, points: [], states: [] },
      },
      "GET /api/v1/monitors/{id}/events": { data: [], next_before: null },
    },
  },
});
