import { Refusal } from "./api.ts";
import type { Call } from "./tool.ts";

// Every tool takes an id or an exact name. What is not unique is answered with the candidates, never guessed.

interface Named {
  id: number;
  name: string;
}

interface Page<Item> {
  data: Item[];
  total_items: number;
}

/** Fields of a project that the tools use. */
export interface Project extends Named {
  url: string;
  state: string;
  server_id: number;
  server?: { id: number; name: string | null } | null;
  repository?: string | null;
  repository_branch?: string | null;
  primary_domain?: string;
  live_deployment?: { id: number; commit_id: string | null } | null;
  last_deployment?: { id: number } | null;
  has_pending_changes?: boolean;
  maintenance_mode?: boolean;
  crash_loops?: { process?: string }[];
}

export interface Server extends Named {
  state?: string;
}

const isId = (given: string | number): boolean => /^[1-9]\d{0,15}$/.test(String(given).trim());

const mostCandidates = 5;

/** The project of a call: the one that it names, within the one that the connection is narrowed to. */
export async function projectOf(call: Call, given: string | number | undefined): Promise<Project> {
  const only = call.narrowing.project;
  const named = given ?? only;
  if (named === undefined)
    throw new Refusal(422, { message: "Name a project.", errors: { project: "project is missing." } });
  const project = await findProject(call, named);
  if (only !== undefined && given !== undefined) {
    const own = await findProject(call, only);
    if (own.id !== project.id) throw outside();
  }
  return project;
}

/** Refuses a record of another project than the one that the connection is narrowed to. */
export async function refuseOtherProject(call: Call, projectId: number): Promise<void> {
  if (call.narrowing.project === undefined) return;
  const own = await findProject(call, call.narrowing.project);
  if (own.id !== projectId) throw outside();
}

const outside = (): Refusal =>
  new Refusal(403, { message: "This connection is for one project only: its address has project=…" });

async function findProject(call: Call, given: string | number): Promise<Project> {
  const found = isId(given) ? await orNothing(() => readProject(call, Number(given))) : undefined;
  if (found) return found;
  const name = String(given).trim();
  const { data } = await call.api.send<Page<Project>>("GET /api/v1/projects", {
    query: { name, per_page: mostCandidates },
  });
  const [first] = data;
  if (first && data.length === 1) return first;
  if (data.length > 1) throw ambiguous(call, "project", data);
  const similar = await call.api.send<Page<Project>>("GET /api/v1/projects", {
    query: { q: name.slice(0, 100), view: "summary", per_page: mostCandidates },
  });
  throw unknown(call, "project", similar.data);
}

const readProject = (call: Call, id: number): Promise<Project> =>
  call.api.send<Project>("GET /api/v1/projects/:id", { params: { id } });

/** The server that a call names. */
export async function serverOf(call: Call, given: string | number): Promise<Server> {
  const found = isId(given)
    ? await orNothing(() =>
        call.api.send<{ data: Server }>("GET /api/v1/servers/:id", { params: { id: Number(given) } }),
      )
    : undefined;
  if (found) return found.data;
  const name = String(given).trim();
  const query = { q: name.slice(0, 100), per_page: 100 };
  const { data } = await call.api.send<Page<Server>>("GET /api/v1/servers", { query });
  const exact = data.filter((server) => server.name === name);
  const [first] = exact;
  if (first && exact.length === 1) return first;
  throw exact.length > 1 ? ambiguous(call, "server", exact) : unknown(call, "server", data);
}

/** Undefined for what the caller does not reach. */
async function orNothing<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

function ambiguous(call: Call, noun: string, candidates: readonly Named[]): Refusal {
  offer(call, noun, candidates);
  return new Refusal(409, { message: `Several ${noun}s have this name. Use an id.` });
}

function unknown(call: Call, noun: string, similar: readonly Named[]): Refusal {
  offer(call, noun, similar);
  return new Refusal(404, { message: `No ${noun} that you reach has this id or exact name.` });
}

function offer({ answer }: Call, noun: string, candidates: readonly Named[]): void {
  const shown = candidates.slice(0, mostCandidates);
  if (shown.length > 0)
    answer.say(`Candidates: ${shown.map(({ id, name }) => answer.name(noun, id, name)).join(", ")}.`);
  answer.data.candidates = shown.map(({ id, name }) => ({ id, name }));
}
