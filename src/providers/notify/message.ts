/** A message in plain text; each kind of channel writes it in its own form. */
export interface Message {
  /** The same for every attempt, so that a receiver recognizes a repetition. */
  id: string;
  topic: string;
  /** One line. */
  title: string;
  /** Some lines. */
  text: string;
  links: readonly Link[];
  /** For programs. */
  data: Record<string, unknown>;
  organization: { id: number; name: string };
  /** ISO 8601, UTC. */
  createdAt: string;
}

export interface Link {
  label: string;
  /** http or https. */
  url: string;
}

/** The outcome of an attempt, without secrets. */
export type Outcome =
  | { isDelivered: true /** The other side's answer. */; answer: string }
  | {
      isDelivered: false;
      /** A sentence: what went wrong, and, where known, what the other side answered. */
      error: string;
      /** Whether the same message would be refused again. */
      isPermanent: boolean;
      /** The other side asked for this much silence. */
      retryAfterMs?: number | undefined;
    };

/** How messages look at a glance, where a channel has colours. */
export const colourOf = ({ topic }: Pick<Message, "topic">): number =>
  /\.(failed|unreachable)$/.test(topic) ? 0xd1242f : 0x1a7f37;

/** Links that are safe to write into a message: what is no web address is left out. */
export function linksIn(data: Record<string, unknown>): Link[] {
  const given: unknown[] = Array.isArray(data.links) ? data.links : [];
  return given.flatMap((each) => {
    const { label, url } = (each ?? {}) as Partial<Record<keyof Link, unknown>>;
    if (typeof label !== "string" || typeof url !== "string" || !/^https?:\/\//.test(url)) return [];
    return URL.canParse(url) ? [{ label, url: new URL(url).href }] : [];
  });
}
