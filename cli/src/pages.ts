import type { Session } from "./session.ts";

/** The address of a page of the console, such as `deployments/12`. */
export async function consolePage(session: Session, page: string): Promise<string> {
  const organization = session.organization ?? (await session.call("GET /api/v1/me")).data.organization?.id ?? 0;
  return `${session.url}/o/${organization}/${page}`;
}
