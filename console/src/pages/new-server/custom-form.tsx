import type { CustomServerRequest } from "../../../../contract/types.ts";
import { fieldsOf } from "../../api/errors.ts";
import { numberIn, textsOf } from "../../parts/form-text.ts";
import { Submit } from "../../parts/submit.tsx";
import { Form } from "../../ui/form.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { ServerFormProps } from "./form-props.ts";
import { NameField, ServerFields, serverValues, systems } from "./server-fields.tsx";

/** The command that lets Longshore in comes after this, with the setup. */
export function CustomForm({ onSubmit, error, isPending }: ServerFormProps) {
  return (
    <Form aria-label="Connect server" errors={fieldsOf(error)} onSubmit={(values) => onSubmit(bodyOf(values))}>
      <NameField />
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <TextField label="Public IP" name="public_ip" mono isRequired autoComplete="off" />
        <TextField label="SSH port" name="ssh_port" mono inputMode="numeric" defaultValue="22" />
      </div>
      <Select
        label="Operating system"
        name="server_os"
        description="A fresh installation. If the machine has another version of these, that is used."
        options={Object.entries(systems).map(([id, label]) => ({ id, label }))}
        defaultValue="ubuntu_24_04"
      />
      <ServerFields />
      <Submit isPending={isPending} error={error}>
        Connect server
      </Submit>
    </Form>
  );
}

function bodyOf(values: FormData): CustomServerRequest {
  const texts = textsOf(values, "public_ip", "ssh_port", "server_os");
  const port = texts.ssh_port.trim();
  return {
    ...serverValues(values),
    provider_type: "custom",
    public_ip: texts.public_ip.trim(),
    server_os: texts.server_os as CustomServerRequest["server_os"],
    ...(port && { ssh_port: numberIn(port) as number }),
  };
}
