/** A message in plain text; each kind of channel formats it in its own way. */
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
      /** A sentence: what went wrong, and, if known, the answer of the other side. */
      error: string;
      /** Whether the same message would be refused again. */
      isPermanent: boolean;
      /** The other side requested this pause. */
      retryAfterMs?: number | undefined;
    };

/** The colour of messages, for channels that have colours. */
export const colourOf = ({ topic }: Pick<Message, "topic">): number =>
  /\.(failed|unreachable)$/.test(topic) ? 0xd1242f : 0x1a7f37;

/** Links that are safe in a message: anything but a web address is left out. */
export function linksIn(data: Record<string, unknown>): Link[] {
  const given: unknown[] = Array.isArray(data.links) ? data.links : [];
  return given.flatMap((each) => {
    const { label, url } = (each ?? {}) as Partial<Record<keyof Link, unknown>>;
    if (typeof label !== "string" || typeof url !== "string" || !/^https?:\/\//.test(url)) return [];
    return URL.canParse(url) ? [{ label, url: new URL(url).href }] : [];
  });
}
