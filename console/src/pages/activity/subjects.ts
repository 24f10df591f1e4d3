import type { Entry } from "../../data/activity.ts";
import { recordPath } from "../../parts/record-path.ts";
import type { OrganizationId } from "../../paths.ts";

export interface Subject {
  key: string;
  name: string;
  /** Undefined: it is gone, or no page shows it. */
  href: string | undefined;
}

/** What an entry is about, from `project:5`, under the names of today. */
export function subjectsOf(
  o: OrganizationId,
  { subjects, subject_names }: Pick<Entry, "subjects" | "subject_names">,
): Subject[] {
  const parts = subjects.map(partsOf);
  const idOf = (noun: string): number | null => parts.find((part) => part.noun === noun)?.id ?? null;
  const inside = { project_id: idOf("project"), server_id: idOf("server") };
  return parts.map(({ key, noun, id }) => {
    const name = subject_names[key];
    if (name === undefined) return { key, name: `${noun.replaceAll("-", " ")} ${id}`, href: undefined };
    const href = recordPath(o, { noun, id, name, ...inside });
    // A deployment has the name of its project, which is a subject too.
    return { key, name: noun === "deployment" ? `deployment ${id}` : name, href };
  });
}

function partsOf(key: string): { key: string; noun: string; id: number } {
  const [noun = "", id] = key.split(":");
  return { key, noun, id: Number(id) };
}
