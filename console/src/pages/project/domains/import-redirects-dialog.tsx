import { useState } from "react";
import type { Redirects, RedirectsImport, RedirectsImported } from "../../../../../contract/types.ts";
import { fieldsOf, isStatus, sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import { TextArea } from "../../../ui/text-area.tsx";

const formats = [
  { value: "_redirects", label: "_redirects, as of Netlify" },
  { value: "htaccess", label: ".htaccess, of Apache" },
];

interface Props {
  id: number;
  shown: Redirects;
  onClose: () => void;
}

/** Imports a text, and lists the lines that were left out. */
export function ImportRedirectsDialog({ id, shown, onClose }: Props) {
  const [format, setFormat] = useState("_redirects");
  const [text, setText] = useState("");
  const [isReplaced, setReplaced] = useState(false);
  const send = useWrite("POST /api/v1/projects/{id}/redirects/import", { touches: ["project"] });
  if (send.data)
    return (
      <Dialog isOpen onClose={onClose} title="Import redirects">
        <Result result={send.data} />
        <Button onPress={onClose}>Close</Button>
      </Dialog>
    );
  const body = {
    format: format as RedirectsImport["format"],
    text,
    replace: isReplaced,
    // Added ones leave the present ones alone, whatever these are.
    ...(isReplaced && { expected_updated_at: shown.updated_at }),
  };
  const refusal = isStatus(send.error, 409)
    ? "Not imported: the project was changed elsewhere. Look at its redirects."
    : sentenceOf(send.error);
  return (
    <Dialog isOpen onClose={onClose} title="Import redirects">
      <Form onSubmit={() => send.mutate({ params: { id }, body })} errors={fieldsOf(send.error)}>
        <RadioGroup label="File" value={format} onChange={setFormat} options={formats} />
        <TextArea
          label="Content"
          name="text"
          placeholder="/blog/:slug  /news/:slug  301"
          value={text}
          onChange={setText}
          rows={10}
          isRequired
          mono
        />
        <Checkbox isSelected={isReplaced} onChange={setReplaced} description="Otherwise they stay, before the others.">
          Delete the present redirects
        </Checkbox>
        <FormActions refusal={refusal}>
          <Button type="submit" kind="primary" isPending={send.isPending}>
            Import redirects
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

function Result({ result: { message, ignored } }: { result: RedirectsImported }) {
  return (
    <div className="flex flex-col gap-3">
      <p>{message}</p>
      {ignored.length > 0 && (
        <ul aria-label="Lines that were left out" className="flex max-h-80 flex-col gap-2 overflow-auto">
          {ignored.map(({ line, text, reason }) => (
            <li key={line}>
              Line {line}: {reason}
              <code className="block text-text-2 [overflow-wrap:anywhere]">{text}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
