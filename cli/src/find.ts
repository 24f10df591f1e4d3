import type { ListedDatabase, Project, WholeServer } from "../../contract/types.ts";
import { exitStatus, Failure, usage } from "./failure.ts";
import type { Invocation } from "./invocation.ts";
import { visible } from "./output/text.ts";
import type { Session } from "./session.ts";
import { parseUrl } from "./settings/choose.ts";

// Records are named by their id or by their exact name.

interface Named {
  id: number;
  name: string;
}

const isId = (name: string): boolean => /^[1-9]\d{0,14}$/.test(name);

/** The one record of this name. Throws with the candidates if there are several, and with similar ones if there is none. */
function theOne<Found extends Named>(
  noun: string,
  name: string,
  exact: readonly Found[],
  similar: readonly Named[],
): Found {
  const [found] = exact;
  if (found && exact.length === 1) return found;
  if (found) {
    const candidates = exact.map(({ id }) => id).join(", ");
    throw usage(`Several ${noun}s are called ${visible(name)}. Use the id: ${candidates}`);
  }
  const others = similar.slice(0, 5).map((each) => visible(each.name));
  const hint = others.length > 0 ? ` Similar: ${others.join(", ")}` : "";
  throw new Failure(exitStatus.notFound, `There is no ${noun} ${visible(name)} in this organization.${hint}`);
}

export async function findProject(session: Session, name: string): Promise<Project> {
  if (isId(name)) return session.call("GET /api/v1/projects/{id}", { params: { id: Number(name) } });
  const exact = await session.call("GET /api/v1/projects", { query: { name, per_page: 100 } });
  const similar = exact.data.length > 0 ? [] : await similarProjects(session, name);
  return theOne("project", name, exact.data, similar);
}

const similarProjects = async (session: Session, name: string): Promise<Project[]> =>
  (await session.call("GET /api/v1/projects", { query: { q: name.slice(0, 4), per_page: 5 } })).data;

/** The project that is named, or the one that the folder is linked to. */
export async function projectOf(invocation: Invocation, name: string | undefined): Promise<Project> {
  const session = await invocation.session();
  if (name !== undefined) return findProject(session, name);
  const link = await invocation.link();
  if (link && parseUrl(link.url) === session.url) return findProject(session, String(link.project.id));
  throw usage("Name a project, or link this folder to one: longshore link PROJECT");
}

export async function findServer(session: Session, name: string): Promise<WholeServer> {
  if (isId(name)) {
    const { data } = await session.call("GET /api/v1/servers/{id}", { params: { id: Number(name) } });
    return data as WholeServer;
  }
  const { data } = await session.call("GET /api/v1/servers", { query: { q: name, per_page: 100 } });
  const exact = data.filter((server) => server.name === name);
  return theOne("server", name, exact as WholeServer[], data);
}

export async function findDatabase(session: Session, name: string): Promise<ListedDatabase & Named> {
  const query = isId(name) ? { per_page: 100 } : { q: name, per_page: 100 };
  const { data } = await session.call("GET /api/v1/databases", { query });
  const all = data.map((database) => ({ ...database, name: database.database_name }));
  const exact = all.filter((database) => (isId(name) ? String(database.id) === name : database.name === name));
  return theOne("database", name, exact, isId(name) ? [] : all);
}

/** The id of a record that has no name, such as a deployment. */
export function idOf(noun: string, text: string | undefined): number {
  if (text !== undefined && isId(text)) return Number(text);
  throw usage(`${noun} is a number, as lists show it.`);
}
