import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface Props {
  /** Of the database. */
  name: string;
  onSend: (dump: { file: File; emptiesFirst: boolean }) => void;
  onClose: () => void;
}

/** What is in the database is lost where it is emptied first: its name is typed then, as for a deletion. */
export function LoadForm({ name, onSend, onClose }: Props) {
  const [file, setFile] = useState<File>();
  const [emptiesFirst, setEmptiesFirst] = useState(false);
  const [typed, setTyped] = useState("");
  const missing = emptiesFirst && typed !== name ? `Type ${name} first.` : undefined;
  const reason = file ? missing : "Choose the file first.";
  return (
    <Form onSubmit={() => file && reason === undefined && onSend({ file, emptiesFirst })}>
      <FileField
        label="Dump"
        description="SQL, or the custom or tar format of PostgreSQL, plain or compressed."
        value={file}
        onChange={setFile}
      />
      <Checkbox
        isSelected={emptiesFirst}
        onChange={setEmptiesFirst}
        description="All tables and their content are lost. This cannot be taken back."
      >
        Empty the database first
      </Checkbox>
      {emptiesFirst && (
        <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} autoComplete="off" />
      )}
      <FormActions>
        <Button type="submit" kind={emptiesFirst ? "danger" : "primary"} disabledReason={reason}>
          {emptiesFirst ? "Empty and load dump" : "Load dump"}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
