import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Navigate, useLocation } from "react-router";
import { messageOf } from "../../api/errors.ts";
import { prefetch } from "../../data/cache.ts";
import { deviceAuthorization, oauthAuthorization } from "../../data/device-authorization.ts";
import { me } from "../../data/me.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { ProgramApproval } from "../../parts/program-approval.tsx";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

// Needs a session: without one it leads to the page to sign in, and back.
export const loader = () => prefetch(me(null));

const title = "Connect an assistant";

/** `/authorize?client_id=…`, which a program of another site opens, and then `/authorize#CODE`: gives it a token, or denies it. */
export function Component(): ReactNode {
  const { search, hash } = useLocation();
  if (search !== "") return <Request search={search} />;
  if (hash !== "") return <Consent code={hash.slice(1)} />;
  return <AccessFrame title={title} lead="Begin in the assistant: it opens this page." />;
}

function Request({ search }: { search: string }) {
  const { data, error } = useQuery(oauthAuthorization(search));
  if (data?.data.program) return <Navigate to={paths.authorize(data.data.program.user_code)} replace />;
  const refusal = data?.data.refusal;
  return (
    <AccessFrame title={title} {...(!error && !refusal && { lead: "Longshore reads what describes the assistant." })}>
      {error && (
        <Notice tone="bad" alert>
          {messageOf(error)}
        </Notice>
      )}
      {refusal && (
        <Notice tone="bad" alert action={<Back to={refusal.redirect_to} />}>
          {refusal.message}
        </Notice>
      )}
    </AccessFrame>
  );
}

function Consent({ code }: { code: string }) {
  const account = useQuery(me(null));
  const program = useQuery({ ...deviceAuthorization(code), retry: false });
  const [answer, setAnswer] = useState<{ message: string; to: string }>();
  const onAnswer = (message: string, to: string | null) => {
    if (to === null) return;
    setAnswer({ message, to });
    location.assign(to);
  };
  if (answer) {
    return (
      <AccessFrame title={title}>
        <Notice alert action={<Back to={answer.to} />}>
          {answer.message}
        </Notice>
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title={title} lead="Continue only if you have just started this in the assistant yourself.">
      <Loaded query={program} what="The assistant could not be read.">
        {({ data }) =>
          account.data && <ProgramApproval program={data} account={account.data.data} onAnswer={onAnswer} />
        }
      </Loaded>
    </AccessFrame>
  );
}

const Back = ({ to }: { to: string }) => (
  <Button onPress={() => location.assign(to)}>{`Back to ${new URL(to).host}`}</Button>
);
