import { pageStory } from "../page-story.tsx";

const command = "./longshore admin user --email you@example.com --password-stdin";

export const { alone, states } = pageStory({
  address: "/forgot-password",
  others: {
    "without mail": { "GET /api/v1/setup": { status: "success", data: { needed: false, password_command: command } } },
  },
});
