import { useQuery } from "@tanstack/react-query";
import { availability } from "../../data/new-project.ts";
import { useOrganization } from "../../data/organization.ts";
import { useSettled } from "../../data/project-list.ts";
import { DomainCheck } from "../../parts/domain-check.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { DraftProps } from "./use-new-project.ts";

/** What people call the project, and where visitors find it. */
export function AddressFields({ values, set }: DraftProps) {
  return (
    <Section title="Name and domain">
      <div className="flex flex-col gap-4">
        <TextField label="Name" name="name" value={values.name} onChange={(name) => set({ name })} isRequired />
        <NameCheck name={values.name} />
        <TextField
          label="Domain"
          name="domain"
          description="A host name, such as shop.example.com."
          value={values.domain}
          onChange={(domain) => set({ domain })}
          isRequired
          mono
          autoComplete="off"
        />
        {values.server_id !== null && <DomainCheck name={values.domain} serverId={values.server_id} />}
        <Checkbox
          isSelected={values.ssl}
          onChange={(ssl) => set({ ssl })}
          description="A certificate is ordered once the domain leads to the server."
        >
          HTTPS
        </Checkbox>
        <Checkbox isSelected={values.autoDeploy} onChange={(autoDeploy) => set({ autoDeploy })}>
          Deploy each push to the branch
        </Checkbox>
      </div>
    </Section>
  );
}

const typedAfterMs = 300;

/** Only what speaks against it. */
function NameCheck({ name }: { name: string }) {
  const settled = useSettled(name.trim(), typedAfterMs);
  const read = availability(useOrganization(), { name: settled });
  const { data } = useQuery({ ...read, enabled: settled !== "", staleTime: 0 });
  const reason = settled === "" ? null : data?.data.name?.reason;
  return (
    <div aria-live="polite" className="empty:hidden">
      {reason && <p className="text-warn">{reason}</p>}
    </div>
  );
}
