import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/account",
  empty: { "GET /api/auth/passkey/list-user-passkeys": [] },
});
