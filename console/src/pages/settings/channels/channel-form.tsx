import { useState } from "react";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import type { Channel, ChannelType, Topic } from "../../../data/channels.ts";
import { useAllowed } from "../../../data/me.ts";
import { Button } from "../../../ui/button.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { kinds } from "./kinds.ts";
import { ProjectFields } from "./project-fields.tsx";
import { TargetFields } from "./target-fields.tsx";
import { TopicFields } from "./topic-fields.tsx";
import type { ChannelValues } from "./values.ts";

interface Props {
  /** The one to change; absent: a new one. */
  channel?: Channel;
  verb: string;
  write: { error: Error | null; isPending: boolean };
  onSend: (values: ChannelValues) => void;
  onClose: () => void;
}

export function ChannelForm({ channel, verb, write, onSend, onClose }: Props) {
  const { values, set } = useValues(channel);
  return (
    <Form onSubmit={() => onSend(values)} errors={fieldsOf(write.error)}>
      {!channel && (
        <Select
          label="Type"
          name="type"
          options={kinds}
          value={values.type}
          onChange={(type) => set({ type: type as ChannelType, target: "", bot_token: "" })}
        />
      )}
      <TextField
        label="Name"
        name="name"
        value={values.name}
        onChange={(name) => set({ name })}
        isRequired
        maxLength={100}
        autoComplete="off"
      />
      <TargetFields key={values.type} values={values} onChange={set} isNew={!channel} />
      <TopicFields value={values.on} onChange={(on) => set({ on })} />
      <ProjectFields value={values.project_ids} onChange={(project_ids) => set({ project_ids })} />
      <FormActions refusal={sentenceOf(write.error)}>
        <Button type="submit" kind="primary" isPending={write.isPending} disabledReason={missingIn(values)}>
          {verb}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

function missingIn({ on, project_ids }: ChannelValues): string | undefined {
  if (on.length === 0) return "Choose what it notifies of first.";
  return project_ids?.length === 0 ? "Choose a project first." : undefined;
}

function useValues(channel: Channel | undefined) {
  const isRestricted = useAllowed()?.restriction != null;
  const [values, setValues] = useState<ChannelValues>({
    name: channel?.name ?? "",
    type: channel?.type ?? "email",
    target: channel?.target ?? "",
    bot_token: "",
    on: (channel?.on ?? ["deployment.failed", "server.unreachable", "monitor.down"]) as Topic[],
    project_ids: channel ? channel.project_ids : isRestricted ? [] : null,
  });
  const set = (changed: Partial<ChannelValues>) => setValues((before) => ({ ...before, ...changed }));
  return { values, set };
}
