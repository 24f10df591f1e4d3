import { DomainCheck } from "../../parts/domain-check.tsx";
import { NameCheck } from "../../parts/name-check.tsx";
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
