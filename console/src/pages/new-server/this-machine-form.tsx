import type { ThisMachineServerRequest } from "../../../../contract/types.ts";
import { fieldsOf } from "../../api/errors.ts";
import type { ThisMachine } from "../../data/servers.ts";
import { textsOf } from "../../parts/form-text.ts";
import { Submit } from "../../parts/submit.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { ServerFormProps } from "./form-props.ts";
import { EngineField, NameField, serverValues, ZoneField } from "./server-fields.tsx";

/** The machine that Longshore runs on: its key is there already, so that nothing is left to do on it. */
export function ThisMachineForm({ own, onSubmit, error, isPending }: ServerFormProps & { own: ThisMachine }) {
  return (
    <Form aria-label="Use this machine" errors={fieldsOf(error)} onSubmit={(values) => onSubmit(bodyOf(values))}>
      <Notice title="Longshore stays reachable while its machine is set up">
        The setup installs nginx, PHP, Node and a database beside it, and closes all ports but those of SSH, the web and
        Longshore.
      </Notice>
      <NameField />
      <TextField
        label="Public IP"
        name="public_ip"
        description="Where the domains of your projects point. Longshore itself connects over 127.0.0.1."
        mono
        isRequired
        autoComplete="off"
        defaultValue={own.public_ip ?? ""}
      />
      <EngineField />
      <ZoneField />
      <Submit isPending={isPending} error={error}>
        Use this machine
      </Submit>
    </Form>
  );
}

function bodyOf(values: FormData): ThisMachineServerRequest {
  const { server_type: _, ...common } = serverValues(values);
  return { ...common, this_machine: true, public_ip: textsOf(values, "public_ip").public_ip.trim() };
}
