import type { Answers, AppDetails } from "./app.ts";

const labels = { admin_username: "User name", admin_email: "E-mail address", admin_password: "Password" };

/** The administrator's credentials of an application, in this order. */
export const administrator = (answers: Answers, keys: readonly (keyof typeof labels)[]): AppDetails["credentials"] =>
  Object.fromEntries(
    keys.map((key) => [key, { label: labels[key], value: answers[key] ?? "", secret: key === "admin_password" }]),
  );
