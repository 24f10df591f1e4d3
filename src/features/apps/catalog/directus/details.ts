import type { App } from "../../app.ts";
import { administrator } from "../../credentials.ts";

export const details: App["details"] = ({ origin, answers }) => ({
  adminUrl: `${origin}/admin/`,
  credentials: administrator(answers, ["admin_email", "admin_password"]),
});
