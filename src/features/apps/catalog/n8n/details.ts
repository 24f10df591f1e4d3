import type { App } from "../../app.ts";

export const details: App["details"] = ({ origin, answers }) => ({
  adminUrl: `${origin}/`,
  credentials: {
    admin_email: { label: "E-mail address", value: answers.admin_email ?? "", secret: false },
    admin_password: { label: "Password", value: answers.admin_password ?? "", secret: true },
  },
});
