import type { Certificate, EnvironmentVariable } from "../../contract/types.ts";
import { CertificateFacts } from "../src/pages/project/domains/certificate-section.tsx";
import { VariableTable } from "../src/pages/project/environment/variable-table.tsx";
import { DnsRecord } from "../src/parts/dns-record.tsx";
import { Comparison } from "../src/parts/environment-editor/comparison.tsx";
import { ProjectState, projectStates } from "../src/parts/project-state/project-state.tsx";

const at = "2026-09-20T10:42:05.000000Z";

const variables: EnvironmentVariable[] = [
  { name: "DATABASE_URL", masked: true, updated_at: at, updated_by: { id: 1, name: "Alice" }, is_live: true },
  { name: "PUBLIC_NAME", masked: false, updated_at: at, updated_by: { id: 2, name: "بوب" }, is_live: false },
  {
    name: "A_NAME_THAT_IS_AS_LONG_AS_PEOPLE_MAKE_THEM_WITH_A_PREFIX",
    masked: true,
    updated_at: null,
    updated_by: null,
    is_live: true,
  },
];

const certificate: Certificate = {
  id: 1,
  project_id: 1,
  domain_id: 1,
  cert_name: "shop.example.com",
  cert_path: "",
  cert_key_path: "",
  status: 2,
  expires_at: "2027-03-24",
  renews_at: "2027-02-24",
  source: "acme",
  names: ["shop.example.com"],
  left_out: [{ name: "www.shop.example.com", reason: "Create an A record with 203.0.113.7 for it." }],
  error: "The authority could not reach shop.example.com: connection refused.",
};

export const states = {
  "states of projects": () => (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      {(Object.keys(projectStates) as (keyof typeof projectStates)[]).map((state) => (
        <ProjectState key={state} project={{ state }} />
      ))}
      <ProjectState project={{ state: "deploying", source_type: "app" }} />
    </div>
  ),
  "DNS record": () => (
    <div className="flex flex-col gap-3">
      <DnsRecord name="shop.example.com" address="203.0.113.7" />
      <DnsRecord name="a-very-long-name.of-the-marketing-department.example.com" address="2001:db8::8a2e:370:7334" />
    </div>
  ),
  "what a text changes": () => (
    <Comparison
      comparison={{
        added: ["NEW_KEY", "MAIL_HOST"],
        changed: ["APP_KEY"],
        removed: ["OLD_DATABASE_URL"],
        unchanged: 12,
      }}
    />
  ),
  variables: () => <VariableTable variables={variables} onEdit={() => {}} onRemove={() => {}} />,
  "certificate that failed": () => <CertificateFacts certificate={certificate} />,
  "no certificate": () => <CertificateFacts certificate={undefined} />,
};
