import { example } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

const program = "GET /api/v1/device-authorizations/{userCode}";

const assistant = (more: object) => ({
  ...example(program),
  data: {
    ...example(program).data,
    client_name: "Assistant",
    permissions: ["project:read", "server:read", "monitor:read", "organization:read"],
    oauth: {
      client_id: "https://assistant.example.net/oauth/client.json",
      client_host: "assistant.example.net",
      redirect_host: "assistant.example.net",
      is_local: false,
      ...more,
    },
  },
});

export const { alone, states } = pageStory({
  address: "/authorize#ABCD-EFGH",
  filled: { [program]: assistant({}) },
  others: { "on this computer": { [program]: assistant({ redirect_host: "127.0.0.1:33418", is_local: true }) } },
  elsewhere: { asking: "/authorize?client_id=https%3A%2F%2Fassistant.example.net%2Fclient.json" },
});
