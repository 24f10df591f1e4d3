import { useState } from "react";
import type { MonitorWebhookSecret } from "../../../../../contract/types.ts";
import { readAgain } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { type MonitorDetails, monitor as monitorRead } from "../../../data/monitors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { CheckFields } from "../../../parts/monitor/check-fields.tsx";
import { RecordForm } from "../../../parts/record-draft/record-form.tsx";
import { useDraft } from "../../../parts/record-draft/use-draft.ts";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { ChannelFields } from "./channel-fields.tsx";
import { activityField, labels, updateOf, valuesOf } from "./values.ts";
import { WebhookSecrets } from "./webhook-secrets.tsx";

/** How it checks, and where it sends notifications. */
export function SettingsSection({ monitor }: { monitor: MonitorDetails }) {
  const { draft, send, update, secrets, forgetSecrets } = useSettings(monitor);
  return (
    <Section title="Settings">
      <RecordForm
        draft={draft}
        what="monitor"
        subject={`monitor:${monitor.id}`}
        fieldOf={(name) => ({ field: activityField(name), label: labels[name] })}
        mayUpdate={useMay("monitor:manage")}
        send={send}
        write={update}
      >
        <TextField
          label={labels.name}
          name="name"
          value={draft.values.name}
          onChange={(name) => draft.set({ name })}
          isRequired
          maxLength={100}
          autoComplete="off"
        />
        <CheckFields type={monitor.type} values={draft.values} set={draft.set} />
        <ChannelFields
          channels={draft.values.notification_channels}
          onChange={(channels) => draft.set({ notification_channels: channels })}
        />
      </RecordForm>
      {secrets && <WebhookSecrets secrets={secrets} onClose={forgetSecrets} />}
    </Section>
  );
}

function useSettings(monitor: MonitorDetails) {
  const { id, type } = monitor;
  const [secrets, setSecrets] = useState<readonly MonitorWebhookSecret[]>();
  const record = monitorRead(useOrganization(), id);
  const draft = useDraft({ record: monitor, pick: valuesOf, read: () => readAgain(record) });
  const update = useWrite("PUT /api/v1/monitors/{id}", {
    touches: ["monitors"],
    onDone: ({ data }) => setSecrets(data.webhook_secrets),
  });
  const body = { ...updateOf(type, draft.values, draft.dirty), expected_updated_at: draft.expectedUpdatedAt };
  const forgetSecrets = () => {
    setSecrets(undefined);
    update.reset();
  };
  return { draft, send: () => update.mutateAsync({ params: { id }, body }), update, secrets, forgetSecrets };
}
