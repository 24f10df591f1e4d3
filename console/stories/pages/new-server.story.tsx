import { type Answers, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

/** As on an installation whose operator has not allowed it. */
const notOffered: Answers = {
  "GET /api/v1/this-machine": {
    status: "success",
    data: { is_offered: false, reason: "Not here.", public_ip: null, server_os: null },
  },
};

export const { alone, states } = pageStory({
  address: "/o/1/servers/new",
  elsewhere: { "from a snapshot": "/o/1/servers/new?snapshot=3", "this machine": "/o/1/servers/new?machine=this" },
  empty: { ...withoutItems("GET /api/v1/server-providers"), ...notOffered },
});
