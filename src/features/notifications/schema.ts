/** What an organization can be told of. A feature that announces something new adds its topic here. */
export const topics = [
  "deployment.succeeded",
  "deployment.failed",
  "certificate.failed",
  "certificate.renewed",
  "server.unreachable",
] as const;

export type Topic = (typeof topics)[number];

/** Something that the people of an organization may want to be told, in words for them. */
export interface Announcement {
  organizationId: number;
  topic: Topic;
  /** One line: what happened to what. */
  title: string;
  /** Plain text of a few lines: what a reader wants to know before looking. */
  text: string;
  /**
   * For programs, and sent to webhooks as it is: no secrets. `project_id` decides which channels hear of it, and `links`, a
   * list of `{label, url}`, stands below the text.
   */
  data: Record<string, unknown>;
}
