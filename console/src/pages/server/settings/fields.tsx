import { EnvironmentField } from "../../../parts/environment-field.tsx";
import { TimeZoneField } from "../../../parts/time-zone-field.tsx";
import { Section } from "../../../ui/section.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { labels, type SettingsDraft } from "./values.ts";

export function GeneralFields({ draft: { values, set } }: { draft: SettingsDraft }) {
  return (
    <Section title="General">
      <TextField label={labels.name} name="name" value={values.name} onChange={(name) => set({ name })} isRequired />
      <EnvironmentField value={values.environment} onChange={(environment) => set({ environment })} />
      <TimeZoneField value={values.timezone} onChange={(timezone) => set({ timezone })} />
      <TextField
        label={labels.queue_limit}
        name="queue_limit"
        description="How many deployments may run on it at the same time. Empty: no limit."
        inputMode="numeric"
        value={values.queue_limit}
        onChange={(queue_limit) => set({ queue_limit })}
      />
      <TextArea label={labels.notes} name="notes" value={values.notes} onChange={(notes) => set({ notes })} rows={3} />
      <Switch
        name="delete_protection"
        isSelected={values.delete_protection}
        onChange={(delete_protection) => set({ delete_protection })}
        description="While it is on, the server cannot be deleted. With live projects it is on by default."
      >
        {labels.delete_protection}
      </Switch>
    </Section>
  );
}

interface ConnectionProps {
  draft: SettingsDraft;
  isOrdered: boolean;
  /** Longshore connects over loopback, to the port of its settings. */
  isOwn: boolean;
}

export function ConnectionFields({ draft: { values, set }, isOrdered, isOwn }: ConnectionProps) {
  return (
    <Section title="Connection">
      <TextField
        label={labels.public_ip}
        name="public_ip"
        description={addressText(isOrdered, isOwn)}
        mono
        value={values.public_ip}
        onChange={(public_ip) => set({ public_ip })}
      />
      <TextField
        label={labels.private_ip}
        name="private_ip"
        description="Of a private network, for your other servers. Empty: they use the public one."
        mono
        value={values.private_ip}
        onChange={(private_ip) => set({ private_ip })}
      />
      {!isOwn && (
        <TextField
          label={labels.ssh_port}
          name="ssh_port"
          inputMode="numeric"
          mono
          value={values.ssh_port}
          onChange={(ssh_port) => set({ ssh_port })}
        />
      )}
    </Section>
  );
}

function addressText(isOrdered: boolean, isOwn: boolean): string | undefined {
  if (isOwn) return "Where the domains of your projects point. Longshore itself connects over 127.0.0.1.";
  return isOrdered ? "From the provider. Change it only if the machine's address has changed." : undefined;
}
