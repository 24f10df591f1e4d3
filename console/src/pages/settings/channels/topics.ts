import type { Channel, Topic } from "../../../data/channels.ts";
import type { CheckboxArea } from "../../../parts/checkbox-areas.tsx";

/** What happened, as the end of a sentence about its area. */
const topics: Record<Topic, readonly [area: string, words: string]> = {
  "deployment.succeeded": ["Deployments", "Deployment succeeded"],
  "deployment.failed": ["Deployments", "Deployment failed"],
  "certificate.renewed": ["Certificates", "Certificate renewed"],
  "certificate.failed": ["Certificates", "Certificate failed"],
  "server.unreachable": ["Servers", "Server unreachable"],
  "server.not_removed": ["Servers", "Server not removed at its provider"],
  "server.orphan_found": ["Servers", "Machine without an order found"],
  "monitor.down": ["Monitors", "Monitor down"],
  "monitor.up": ["Monitors", "Monitor up again"],
  "monitor.certificate_expiring": ["Monitors", "Certificate of a monitor expires"],
  "process.crash_loop": ["Processes", "Process keeps crashing"],
  "process.recovered": ["Processes", "Process recovered"],
  "app.security_update": ["Applications", "Application has a security update"],
  "app.update_failed": ["Applications", "Application update failed"],
};

export const allTopics = Object.keys(topics) as Topic[];

/** The topics by what they are about. */
export const topicAreas: readonly CheckboxArea<Topic>[] = [...new Set(allTopics.map((topic) => topics[topic][0]))].map(
  (label) => ({
    label,
    options: allTopics
      .filter((topic) => topics[topic][0] === label)
      .map((value) => ({ value, label: topics[value][1] })),
  }),
);

/** Of a topic that this version of the page does not know, and of tests, the API's word. */
export const topicInWords = (topic: string): string =>
  topic === "test" ? "Test" : (topics[topic as Topic]?.[1] ?? topic);

/** "Deployment failed, Monitor down and 3 more". */
export function topicsInWords({ on }: Pick<Channel, "on">): string {
  if (allTopics.every((topic) => on.includes(topic))) return "Everything that is announced";
  const more = on.length - 2;
  return on.slice(0, 2).map(topicInWords).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
