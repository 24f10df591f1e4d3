import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Php, PhpUpdate, ProjectReply } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { projectPhp } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { numberIn, textsOf } from "../../../parts/form-text.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { SyncNote } from "../../../parts/sync-note.tsx";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Properties } from "../../../ui/properties.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { showToast } from "../../../ui/toast.tsx";

/** Limits and extensions of the project's PHP, which need no deployment. */
export function PhpSection({ project }: { project: ProjectReply }) {
  const php = useQuery(projectPhp(useOrganization(), project.id));
  const [isOpen, setOpen] = useState(false);
  const mayUpdate = useMay("project:update");
  return (
    <Section
      title="PHP"
      description="Changes apply at once, without a deployment."
      actions={mayUpdate && php.data && <Button onPress={() => setOpen(true)}>Change PHP</Button>}
    >
      <Loaded query={php} what="The settings of PHP could not be read." rows={5}>
        {({ data }) => (
          <>
            {data.refusal && <p className="text-bad">The last change was taken back. {data.refusal}</p>}
            <SyncNote sync={data.sync} />
            <PhpFacts php={data} upload={project.max_upload_mb} />
            {isOpen && <PhpDialog id={project.id} php={data} onClose={() => setOpen(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function PhpFacts({ php, upload }: { php: Php; upload: number }) {
  const { memory_limit_mb: memory, max_execution_seconds: seconds, opcache_memory_mb: cache } = php;
  return (
    <Properties
      items={[
        {
          label: "Memory of a request",
          value: memory === null ? "Memory limit of the project, else 256 MB" : `${memory} MB`,
        },
        { label: "Execution time", value: `${seconds ?? 60} seconds` },
        { label: "Workers", value: String(php.max_workers) },
        { label: "Largest upload", value: `${upload} MB` },
        { label: "OPcache", value: php.opcache_is_enabled ? `${cache ?? 192} MB` : "Off" },
        { label: "Extensions", value: php.extensions.join(", ") || null },
      ]}
    />
  );
}

const numbers = ["memory_limit_mb", "max_execution_seconds", "max_workers", "opcache_memory_mb"] as const;

function PhpDialog({ id, php, onClose }: { id: number; php: Php; onClose: () => void }) {
  const [hasOpcache, setOpcache] = useState(php.opcache_is_enabled);
  const change = useWrite("PUT /api/v1/projects/{id}/php", {
    touches: ["project"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const send = (values: FormData) => {
    const typed = textsOf(values, ...numbers, "extensions");
    const given = numbers.map((name) => [name, typed[name].trim() === "" ? null : numberIn(typed[name])]);
    const extensions = typed.extensions.split(/[\s,]+/).filter((each) => each !== "");
    const body = { ...Object.fromEntries(given), opcache_is_enabled: hasOpcache, extensions } as PhpUpdate;
    change.mutate({ params: { id }, body });
  };
  return (
    <Dialog isOpen onClose={onClose} title="Change PHP">
      <Form onSubmit={send} errors={fieldsOf(change.error)}>
        <NumberField
          name="memory_limit_mb"
          label="Memory of a request"
          description="32 to 16384. Empty: the memory limit of the project, or else 256."
          after="MB"
          value={php.memory_limit_mb}
        />
        <NumberField
          name="max_execution_seconds"
          label="Execution time"
          description="1 to 7200. Empty: 60. Above 300 the web server waits as long."
          after="seconds"
          value={php.max_execution_seconds}
        />
        <NumberField
          name="max_workers"
          label="Workers"
          description={`Requests at the same time${php.most_workers === null ? "" : `, at most ${php.most_workers} on its server`}.`}
          value={php.max_workers}
        />
        <Checkbox
          isSelected={hasOpcache}
          onChange={setOpcache}
          description="Keeps compiled scripts in memory. Without it, each request compiles them."
        >
          OPcache
        </Checkbox>
        <NumberField
          name="opcache_memory_mb"
          label="Memory of OPcache"
          description="8 to 2048. Empty: 192."
          after="MB"
          value={php.opcache_memory_mb}
        />
        <TextField
          label="Extensions"
          name="extensions"
          description="Between commas, such as imagick, mongodb: they are installed, and loaded for this project alone."
          defaultValue={php.extensions.join(", ")}
          mono
        />
        <FormActions refusal={sentenceOf(change.error)}>
          <Button type="submit" kind="primary" isPending={change.isPending}>
            Change PHP
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

interface NumberFieldProps {
  name: (typeof numbers)[number];
  label: string;
  description: string;
  after?: string;
  value: number | null;
}

const NumberField = ({ value, ...field }: NumberFieldProps) => (
  <TextField {...field} defaultValue={value === null ? "" : String(value)} inputMode="numeric" />
);
