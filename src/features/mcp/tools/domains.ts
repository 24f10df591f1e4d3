import { Type } from "typebox";
import type { Answer } from "../answers.ts";
import { Refusal } from "../api.ts";
import { projectOf } from "../names.ts";
import { type Call, listOf, NullableText, ProjectArgument, Text, type Tool, tool } from "../tool.ts";

interface Domain {
  id: number;
  domain_name: string;
  is_primary: 0 | 1;
  sync: { state: string; error: string | null } | null;
}

interface DnsCheck {
  status: "success" | "failed";
  domain: string;
  expected_ip: string | null;
  message: string;
  names: { name: string; ok: boolean; addresses: string[]; chain: string[]; message: string }[];
}

interface Certificate {
  domain_id: number;
  status: 0 | 1 | 2 | 3;
  expires_at: string | null;
  names: string[];
  error: string | null;
}

const findingProjects = ["GET /api/v1/projects", "GET /api/v1/projects/:id"];
const domainsPath = "/api/v1/projects/:id/domains";
const certificateStates = ["pending", "active", "failed", "expired"] as const;

const Host = Type.String({ minLength: 1, maxLength: 253 });
const Record = Type.Object({ type: Text, name: Text, value: NullableText });

const addDomain = tool({
  name: "add_domain",
  title: "Add a domain",
  description: "Adds a domain to a project, and names the DNS record to set for it.",
  input: Type.Object({ project: ProjectArgument, domain: Host }),
  output: Type.Object({ domain: Text, record: Record, is_reached: Type.Boolean() }),
  needs: [`POST ${domainsPath}`, `GET ${domainsPath}`, "GET /api/v1/projects/:id/check-ns", ...findingProjects],
  isOfProject: true,
  run: async (call, { project, domain: name }) => {
    const { id } = await projectOf(call, project);
    const { domain } = await call.api.send<{ domain: Domain }>(`POST ${domainsPath}`, {
      params: { id },
      body: { domain: name },
    });
    const check = await checkOf(call, id, domain.id);
    const shownName = call.answer.word("the domain", domain.domain_name);
    call.answer.say(`${shownName} was added to project ${id}.`);
    sayCheck(call.answer, check);
    call.answer.data = { domain: domain.domain_name, record: recordOf(check), is_reached: check.status === "success" };
  },
});

const checkDomain = tool({
  name: "check_domain",
  title: "Check a domain",
  description:
    "Where a domain of a project points, what it should point to, and the state of its certificate with its last error.",
  input: Type.Object({ project: ProjectArgument, domain: Type.Optional(Host) }),
  output: Type.Object({
    domain: Text,
    is_reached: Type.Boolean(),
    record: Record,
    addresses: listOf(Text),
    certificate: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Its state; null: there is none",
    }),
    certificate_expires_at: NullableText,
  }),
  needs: [
    `GET ${domainsPath}`,
    "GET /api/v1/projects/:id/check-ns",
    "GET /api/v1/projects/:projectId/certificates",
    ...findingProjects,
  ],
  isOfProject: true,
  run: async (call, { project, domain: name }) => {
    const { id } = await projectOf(call, project);
    const domain = await domainOf(call, id, name);
    const check = await checkOf(call, id, domain.id);
    const all = await call.api.send<Certificate[]>("GET /api/v1/projects/:projectId/certificates", {
      params: { projectId: id },
    });
    const certificate = all.find((each) => each.domain_id === domain.id || each.names.includes(domain.domain_name));
    sayCheck(call.answer, check);
    sayCertificate(call.answer, certificate);
    call.answer.data = {
      domain: domain.domain_name,
      is_reached: check.status === "success",
      record: recordOf(check),
      addresses: check.names.flatMap(({ addresses }) => addresses),
      certificate: certificate ? certificateStates[certificate.status] : null,
      certificate_expires_at: certificate?.expires_at ?? null,
    };
  },
});

async function domainOf({ api }: Call, id: number, name: string | undefined): Promise<Domain> {
  const { data } = await api.send<{ data: Domain[] }>(`GET ${domainsPath}`, { params: { id } });
  const found =
    name === undefined
      ? data.find(({ is_primary: isPrimary }) => isPrimary === 1)
      : data.find((each) => each.domain_name === name.toLowerCase() || String(each.id) === name);
  if (found) return found;
  throw new Refusal(404, { message: "The project has no such domain." });
}

const checkOf = ({ api }: Call, id: number, domainId: number): Promise<DnsCheck> =>
  api.send<DnsCheck>("GET /api/v1/projects/:id/check-ns", { params: { id }, query: { domain_id: domainId } });

const recordOf = ({ domain, expected_ip: ip }: DnsCheck) => ({
  type: ip?.includes(":") ? "AAAA" : "A",
  name: domain,
  value: ip,
});

function sayCheck(answer: Answer, check: DnsCheck): void {
  const { type, name, value } = recordOf(check);
  const shownName = answer.word("the domain", name);
  if (check.status === "success") answer.say(`${shownName} leads to the server (${value ?? "its address"}).`);
  else
    answer.say(
      `${shownName} does not lead to the server. Set this record: ${type} ${value ?? "(the server has no address yet)"}.`,
    );
  const seen = check.names.map(
    (each) => `${each.name}: ${[...each.chain, ...each.addresses].join(", ") || "nothing"}. ${each.message}`,
  );
  answer.quote("the DNS", seen.join("\n"));
}

function sayCertificate(answer: Answer, certificate: Certificate | undefined): void {
  if (!certificate) answer.say("It has no certificate.");
  else {
    const until = certificate.expires_at === null ? "" : `, until ${certificate.expires_at.slice(0, 10)}`;
    answer.say(`Certificate: ${certificateStates[certificate.status]}${until}.`);
    answer.quote("the error of the certificate", certificate.error);
  }
}

export const domainTools: readonly Tool[] = [addDomain, checkDomain];
