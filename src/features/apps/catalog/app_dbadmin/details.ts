import type { App } from "../../app.ts";

export const details: App["details"] = ({ origin, answers }) => ({
  adminUrl: `${origin}/`,
  credentials: {
    username: { label: "User name that the site asks for", value: answers.username ?? "", secret: false },
    password: { label: "Password that the site asks for", value: answers.password ?? "", secret: true },
  },
});
