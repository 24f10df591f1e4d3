import type { Static } from "typebox";
import { inSync } from "../../engine/reconcile/target.ts";
import { success } from "../../http/schemas.ts";
import type {
  BackgroundJobChanged,
  BackgroundJobPage,
  JobLogReply,
  SchedulerJobChanged,
  SchedulerJobPage,
} from "./schema.ts";

// Examples for the API documentation.

const common = {
  project_id: 7,
  is_active: true,
  user: "project-7",
  status: "active",
  error: null,
  sync: inSync,
  created_at: "2026-03-01T10:20:30.123456Z",
  updated_at: "2026-03-01T10:20:30.123456Z",
} as const;

const page = { current_page: 1, per_page: 25, total_pages: 1, total_items: 1 };

export const schedulerJobExample: Static<typeof SchedulerJobChanged>["data"] = {
  id: 21,
  name: "Scheduler",
  command: "php artisan schedule:run",
  ...common,
  cron_expression: "* * * * *",
  next_run_at: "2026-03-01T10:21:00.000000Z",
};

export const backgroundJobExample: Static<typeof BackgroundJobChanged>["data"] = {
  id: 22,
  name: "Queue",
  command: "php artisan queue:work",
  ...common,
  processes: 2,
};

export const schedulerJobPageExample: Static<typeof SchedulerJobPage> = { ...page, data: [schedulerJobExample] };
export const backgroundJobPageExample: Static<typeof BackgroundJobPage> = { ...page, data: [backgroundJobExample] };

export const jobLogExample: Static<typeof JobLogReply> = success({
  data: { lines: ["2026-03-01T10:20:30Z No scheduled commands are ready to run."] },
});
