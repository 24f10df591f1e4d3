import { useState } from "react";
import type { Redirect } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { showToast } from "../../../ui/toast.tsx";

const matches = [
  { id: "exact", label: "This path" },
  { id: "prefix", label: "This path, and all below it" },
  { id: "pattern", label: "A pattern, as /blog/:slug or /docs/*" },
];

const statuses = [
  { id: "301", label: "Permanent (301)" },
  { id: "302", label: "Temporary (302)" },
  { id: "308", label: "Permanent, forms are sent again (308)" },
  { id: "307", label: "Temporary, forms are sent again (307)" },
  { id: "410", label: "Gone, without a target (410)" },
];

interface Props {
  id: number;
  /** What the project has already; the new one comes after them. */
  present: readonly Redirect[];
  onClose: () => void;
}

export function AddPathRedirectDialog({ id, present, onClose }: Props) {
  const [match, setMatch] = useState("exact");
  const [status, setStatus] = useState("301");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [keepsQuery, setKeepsQuery] = useState(true);
  const add = useWrite("PUT /api/v1/projects/{id}/redirects", {
    touches: ["domains", "project"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const isGone = status === "410";
  const send = () => {
    const added = {
      match: match as Redirect["match"],
      from: from.trim(),
      to: isGone ? null : to.trim(),
      status: Number(status) as Redirect["status"],
      keeps_query: keepsQuery,
    };
    add.mutate({ params: { id }, body: { redirects: [...present, added] } });
  };
  return (
    <Dialog isOpen onClose={onClose} title="Add redirect">
      <Form onSubmit={send} errors={ownFields(fieldsOf(add.error), present.length)}>
        <Select label="Applies to" options={matches} value={match} onChange={(key) => setMatch(String(key))} />
        <TextField
          label="Path"
          name="from"
          description="Upper and lower case differ. A placeholder such as :slug stands for one part of the path."
          placeholder="/old"
          value={from}
          onChange={setFrom}
          isRequired
          mono
        />
        <Select label="Kind" options={statuses} value={status} onChange={(key) => setStatus(String(key))} />
        {!isGone && (
          <TextField
            label="Target"
            name="to"
            description="A path, or an address with http or https. :splat stands for what the asterisk of a pattern found."
            placeholder="/new"
            value={to}
            onChange={setTo}
            isRequired
            mono
          />
        )}
        {!isGone && (
          <Checkbox isSelected={keepsQuery} onChange={setKeepsQuery}>
            Keep the query
          </Checkbox>
        )}
        <FormActions refusal={sentenceOf(add.error)}>
          <Button type="submit" kind="primary" isPending={add.isPending}>
            Add redirect
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** Those of the new redirect, as fields of the form. */
const ownFields = (errors: Record<string, string> = {}, at: number) =>
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [name.replace(`redirects.${at}.`, ""), error]));
