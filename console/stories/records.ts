import type { Deployment, Project, Server } from "../../contract/types.ts";
import { exampleOf } from "./answers.ts";

// Records as organizations have them: in all states, with names of all lengths and directions.

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

const names = [
  "Shop",
  "متجر الكتب",
  "Landing page",
  "The site of the marketing department of a long company name",
  "API",
];
const hosts = ["shop", "kutub", "landing", "a-very-long-name.of-the-marketing-department", "api"];
const messages = [
  "Show prices with taxes",
  "إضافة صفحة الدفع",
  "Take VAT of the Netherlands into account when the customer has no number, and show it on the invoice",
  "Bump vite from 8.3.7 to 8.3.8",
];
const states = [
  "live",
  "live",
  "deploying",
  "failed",
  "live",
  "not_installed",
  "in_maintenance",
  "waiting",
  "live",
  "crashing",
  "unreachable",
] as const;
const shas = ["9fceb02d0ae598e95dc970b74767f19372d61af8", "3f9a2c17b1d9c11a9d9b7a1fb0b5b8c1c3dc0a12"];

export const projects = (count: number): Project[] =>
  Array.from({ length: count }, (_, index) => {
    const state = at(states, index);
    const domain = `${at(hosts, index)}${index}.example.com`;
    const deployed = {
      ...{
        id: 900 - index,
        status: state === "failed" ? (2 as const) : (1 as const),
        commit_id: at(shas, index),
        git_branch: "main",
        git_tag: null,
      },
      ...{ commit_message: at(messages, index), at: ago(7 * index * index + 3) },
    };
    const none = state === "not_installed";
    return {
      ...exampleOf("GET /api/v1/projects"),
      ...{ id: index + 7, name: at(names, index), state, primary_domain: domain, url: `https://${domain}` },
      ...{
        live_deployment: none ? null : { ...deployed, status: 1 as const },
        last_deployment: none ? null : deployed,
      },
      is_pinned: index === 0,
      environment: at(["production", "staging", null] as const, index),
      monitors: at([{ up: 2, down: 0 }, { up: 1, down: 1 }, null], index) as Project["monitors"],
    };
  });

const serverStates = ["ready", "ready", "unreachable", "provisioning", "ready", "installing"] as const;

export const servers = (count: number): Server[] =>
  Array.from({ length: count }, (_, index) => {
    const server = exampleOf("GET /api/v1/servers") as Extract<Server, { usage: unknown }>;
    const state = at(serverStates, index);
    return {
      ...server,
      ...{
        id: index + 1,
        name: index === 3 ? "خادم الأخبار" : `web-${index + 1}`,
        public_ip: `192.0.2.${index + 10}`,
        state,
      },
      ...{ projects_count: index * 7, last_seen_at: ago(state === "unreachable" ? 90 : 0.4) },
      usage: state === "ready" ? server.usage : null,
      setup: { state: state === "provisioning" ? "running" : "completed", attention_count: index === 4 ? 2 : 0 },
    };
  });

const statuses = [3, 0, 1, 2, 1, 5, 1, 4] as const;
const initiators = [
  { type: "user", id: 1, name: "Alice" },
  { type: "push", id: null, name: "Ole Nordmann" },
  { type: "user", id: 2, name: "بوب" },
] as const;

export const deployments = (count: number): Deployment[] =>
  Array.from({ length: count }, (_, index) => {
    const status = at(statuses, index);
    return {
      ...exampleOf("GET /api/v1/deployments"),
      ...{ id: 900 - index, status, is_live: index === 2, process_type: index === 6 ? "rollback" : "deployment" },
      ...{ commit_id: at(shas, index), commit_message: at(messages, index), initiator: at(initiators, index) },
      ...{ project: { id: index + 7, name: at(names, index) }, created_at: ago(index * index * 9 + 1) },
      ...{
        started_at: status === 0 ? null : ago(index * index * 9 + 0.5),
        ended_at: [0, 3, 4].includes(status) ? null : ago(index * index * 9 + 0.3),
        duration: [0, 1, 2, 3].includes(status) ? 8 + index : 0,
      },
      error: status === 2 ? "The build ended with 1: Could not resolve “./cart” from “src/pages/checkout.tsx”." : null,
    };
  });
