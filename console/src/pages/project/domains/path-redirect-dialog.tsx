import { useMemo, useState } from "react";
import type { Redirect, Redirects } from "../../../../../contract/types.ts";
import { fieldsOf } from "../../../api/errors.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useReplaceRedirects } from "./use-replace-redirects.ts";

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
  /** What the project has already. */
  shown: Redirects;
  /** One of those; without it, another is added after them. */
  edited?: Redirect;
  onClose: () => void;
}

const added: Redirect = { match: "exact", from: "", to: "", status: 301, keeps_query: true };

export function PathRedirectDialog({ id, shown, edited, onClose }: Props) {
  const former = edited ?? added;
  const [match, setMatch] = useState<string>(former.match);
  const [status, setStatus] = useState(String(former.status));
  const [from, setFrom] = useState(former.from);
  const [to, setTo] = useState(former.to ?? "");
  const [keepsQuery, setKeepsQuery] = useState(former.keeps_query);
  const { replace, refusal, error, isPending } = useReplaceRedirects(id);
  const at = placeOf(shown.redirects, edited);
  // The same object until the next answer: another one would refuse again what was typed since.
  const errors = useMemo(() => ownFields(fieldsOf(error), at), [error, at]);
  const isGone = status === "410";
  const send = async () => {
    const redirect = {
      match: match as Redirect["match"],
      from: from.trim(),
      to: isGone ? null : to.trim(),
      status: Number(status) as Redirect["status"],
      keeps_query: keepsQuery,
    };
    if (await replace(shown, shown.redirects.toSpliced(at, 1, redirect))) onClose();
  };
  const verb = edited ? "Save" : "Add redirect";
  return (
    <Dialog isOpen onClose={onClose} title={edited ? `Edit the redirect of ${edited.from}` : verb}>
      <Form onSubmit={() => void send()} errors={errors}>
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
        <FormActions refusal={refusal}>
          <Button type="submit" kind="primary" isPending={isPending}>
            {verb}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** Where the edited one is now, by what it is: others may have moved it. One that is gone is added again. */
function placeOf(redirects: readonly Redirect[], edited: Redirect | undefined): number {
  const text = JSON.stringify(edited);
  const at = redirects.findIndex((each) => JSON.stringify(each) === text);
  return at < 0 ? redirects.length : at;
}

/** Those of this redirect, as fields of the form. */
const ownFields = (errors: Record<string, string> | undefined, at: number) =>
  errors &&
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [name.replace(`redirects.${at}.`, ""), error]));
