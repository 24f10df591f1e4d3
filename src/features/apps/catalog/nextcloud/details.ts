import type { App } from "../../app.ts";
import { administrator } from "../../credentials.ts";

export const details: App["details"] = ({ origin, answers }) => ({
  adminUrl: `${origin}/`,
  credentials: administrator(answers, ["admin_username", "admin_password", "admin_email"]),
});
