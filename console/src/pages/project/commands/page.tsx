import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type LoaderFunctionArgs, useNavigate, useSearchParams } from "react-router";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { prefetchOf } from "../../../data/cache.ts";
import { commands } from "../../../data/commands.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { project } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useProject, useProjectRefusals } from "../use-project.ts";
import { CommandOutput } from "./command-output.tsx";
import { CommandTable } from "./command-table.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.project)];
  return prefetchOf(project(o, id), commands(o, id));
};

/** Single commands in the live release, with what they print while they run. The address names the one that is shown. */
export function Component(): ReactNode {
  const shown = Number(useSearchParams()[0].get("command"));
  return (
    <div className="flex flex-col gap-8">
      {useMay("deployment:create") && <RunForm />}
      {shown > 0 && <CommandOutput key={shown} id={shown} />}
      <History />
    </div>
  );
}

function RunForm() {
  const [o, project, navigate] = [useOrganization(), useProject(), useNavigate()];
  const [command, setCommand] = useState("");
  const refusal = useProjectRefusals(project)("run_command");
  const run = useWrite("POST /api/v1/projects/{id}/commands", {
    touches: ["commands", "project"],
    onDone: ({ data: { id } }) => {
      setCommand("");
      void navigate(paths.command(o, project.id, id));
    },
  });
  return (
    <Form
      onSubmit={() => run.mutate({ params: { id: project.id }, body: { command } })}
      errors={fieldsOf(run.error)}
      aria-label="Run"
    >
      <TextField
        label="Command"
        name="command"
        description="For bash, in the live release's working directory, as the project's own user. It ends after 30 minutes."
        value={command}
        onChange={setCommand}
        isRequired
        mono
        autoComplete="off"
      />
      <FormActions refusal={sentenceOf(run.error)}>
        <Button type="submit" kind="primary" isPending={run.isPending} disabledReason={refusal}>
          Run command
        </Button>
      </FormActions>
    </Form>
  );
}

function History() {
  const project = useProject();
  const read = useQuery(commands(useOrganization(), project.id));
  return (
    <Section title="History">
      <Loaded query={read} what="The commands could not be read." rows={3}>
        {({ data }) =>
          data.length > 0 ? (
            <CommandTable commands={data} />
          ) : (
            <Empty title="No command was run yet">
              Such as <code>php artisan migrate:status</code> or <code>ls -la</code>.
            </Empty>
          )
        }
      </Loaded>
    </Section>
  );
}
