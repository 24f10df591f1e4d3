import type { Service } from "../../../contract/types.ts";
import { example, ofServer, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

const plain = { ports: [], state: null, has_credentials: false };
const services: Service[] = [
  { ...plain, name: "nginx", label: "nginx", version: "1.26.3", ports: [80, 443], state: "active" },
  { ...plain, name: "php", label: "PHP", version: "8.4.1" },
  { ...plain, name: "node", label: "Node.js", version: null },
  {
    ...{ name: "mariadb", label: "MariaDB", version: "11.4.2", ports: [3306] },
    ...{ state: "failed", has_credentials: true },
  },
];

export const { alone, states } = pageStory({
  address: "/o/1/servers/1/services",
  always: ofServer,
  filled: { "GET /api/v1/servers/{id}/services": { ...example("GET /api/v1/servers/{id}/services"), data: services } },
  empty: withoutItems("GET /api/v1/servers/{id}/services"),
  others: {
    "before the setup": {
      "GET /api/v1/servers/{id}/services": {
        ...example("GET /api/v1/servers/{id}/services"),
        data: services.map((each) => ({ ...each, version: null, state: "not_installed", has_credentials: false })),
      },
    },
  },
});
