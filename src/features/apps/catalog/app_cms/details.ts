import type { App } from "../../app.ts";
import { administrator } from "../../credentials.ts";

export const details: App["details"] = ({ origin, answers }) => ({
  adminUrl: `${origin}/wp-admin/`,
  credentials: administrator(answers, ["admin_username", "admin_password", "admin_email"]),
});
