import type { Static } from "typebox";
import { success } from "../../http/schemas.ts";
import type { AppList, AppReply, Installing, InstallSteps } from "./schema.ts";

// Examples for the API documentation.

export const appListExample: Static<typeof AppList> = success({
  data: [
    {
      slug: "app_cms",
      name: "WordPress",
      category: "Content management",
      summary: "Websites and blogs, written in the browser.",
      layout: "releases/<n> holds WordPress itself; wp-content and wp-config.php are shared by all releases",
      available: true,
      unavailable_reasons: [],
      inputs: [{ key: "site_title", label: "Title of the site", type: "text", required: false, generated: false }],
    },
  ],
});

export const installingExample: Static<typeof Installing> = success({
  message: "WordPress is being installed.",
  data: {
    id: 9,
    server_id: 1,
    name: "Blog",
    app_slug: "app_cms",
    domain: "blog.example.com",
    installation_status: 0,
  },
});

export const installStepsExample: Static<typeof InstallSteps> = success({
  data: {
    installation_status: 0,
    app_slug: "app_cms",
    app_version: null,
    steps: [
      {
        key: "requirements",
        label: "Check the requirements",
        position: 0,
        status: "completed",
        detail: null,
        duration_ms: 412,
      },
    ],
  },
});

export const appExample: Static<typeof AppReply> = success({
  data: {
    app_slug: "app_cms",
    app_name: "WordPress",
    app_version: "6.9.4",
    admin_url: "https://blog.example.com/wp-admin/",
    updatable: true,
    engine: "mariadb",
    credentials: { admin_username: { label: "User name", value: "admin", secret: false } },
    database: { engine: "mariadb", name: "blog", username: "blog", password: "…", host: "localhost" },
    automatic_updates: "minor",
    update_available: "7.0.1",
    update_is_security: false,
    last_update: null,
  },
});
