import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import { messageOf } from "../../api/errors.ts";
import { prefetch } from "../../data/cache.ts";
import { deviceAuthorization } from "../../data/device-authorization.ts";
import { me } from "../../data/me.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { textsOf } from "../../parts/form-text.ts";
import { ProgramApproval } from "../../parts/program-approval.tsx";
import { Submit } from "../../parts/submit.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";

// Needs a session: without one it leads to the page to sign in, and back.
export const loader = () => prefetch(me(null));

/** `/device#CODE`: gives a program on another device a token of the account, or denies it. */
export function Component(): ReactNode {
  const codeOfLink = useLocation().hash.slice(1);
  const [code, setCode] = useState("");
  const account = useQuery(me(null));
  const device = useQuery({ ...deviceAuthorization(code), enabled: code !== "", retry: false });
  const [answer, setAnswer] = useState<string>();
  const title = "Connect a program";
  if (answer !== undefined) {
    return (
      <AccessFrame title={title}>
        <Notice alert>{answer} You can close this page.</Notice>
      </AccessFrame>
    );
  }
  if (device.data && account.data) {
    return (
      <AccessFrame title={title} lead="Continue only if you have just started this program yourself.">
        <ProgramApproval program={device.data.data} account={account.data.data} onAnswer={setAnswer} />
      </AccessFrame>
    );
  }
  return (
    <AccessFrame
      title={title}
      lead="Enter the code that the program shows. Enter no code that another person gave you."
    >
      {account.error && <Notice tone="bad">{messageOf(account.error)}</Notice>}
      <Form
        onSubmit={(values) => {
          const typed = textsOf(values, "code").code.trim().toUpperCase();
          if (typed === code) void device.refetch();
          else setCode(typed);
        }}
      >
        <TextField
          label="Code"
          name="code"
          defaultValue={codeOfLink}
          pattern="[A-Za-z]{4}[\- ]?[A-Za-z]{4}"
          placeholder="ABCD-EFGH"
          autoComplete="off"
          isRequired
          autoFocus
          mono
        />
        <Submit wide isPending={device.isFetching} error={device.error}>
          Continue
        </Submit>
      </Form>
    </AccessFrame>
  );
}
