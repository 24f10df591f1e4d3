import { useState } from "react";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { numberIn } from "../../../parts/form-text.ts";
import { scheduleText } from "../../../parts/schedule-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { isScheduled, type Job } from "./job.ts";
import type { JobValues } from "./use-job-writes.ts";

interface Props {
  kind: "scheduled" | "background";
  /** The one to change; absent: a new one. */
  job?: Job;
  verb: string;
  write: { error: Error | null; isPending: boolean };
  onSend: (values: JobValues) => void;
  onClose: () => void;
}

export function JobForm({ kind, job, verb, write, onSend, onClose }: Props) {
  const [name, setName] = useState(job?.name ?? "");
  const [command, setCommand] = useState(job?.command ?? "");
  const [schedule, setSchedule] = useState(job && isScheduled(job) ? job.cron_expression : "");
  const [processes, setProcesses] = useState(job && !isScheduled(job) ? String(job.processes) : "1");
  const own = kind === "scheduled" ? { cron_expression: schedule.trim() } : { processes: numberIn(processes) };
  return (
    <Form onSubmit={() => onSend({ name: name.trim(), command, ...own } as JobValues)} errors={fieldsOf(write.error)}>
      <TextField label="Name" name="name" value={name} onChange={setName} isRequired autoFocus autoComplete="off" />
      <TextField
        label="Command"
        name="command"
        description="For bash, in the live release's working directory."
        value={command}
        onChange={setCommand}
        isRequired
        mono
        autoComplete="off"
      />
      {kind === "scheduled" ? (
        <ScheduleField value={schedule} onChange={setSchedule} />
      ) : (
        <TextField
          label="Processes"
          name="processes"
          description="How many run at the same time."
          value={processes}
          onChange={setProcesses}
          inputMode="numeric"
          isRequired
        />
      )}
      <FormActions refusal={sentenceOf(write.error)}>
        <Button type="submit" kind="primary" isPending={write.isPending}>
          {verb}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

function ScheduleField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <>
      <TextField
        label="Schedule"
        name="cron_expression"
        description="Minute, hour, day, month and weekday, such as 0 3 * * *, or @daily. In the server's time zone."
        placeholder="*/5 * * * *"
        value={value}
        onChange={onChange}
        isRequired
        mono
        autoComplete="off"
      />
      <p aria-live="polite" className="text-text-2 empty:hidden">
        {scheduleText(value)}
      </p>
    </>
  );
}
