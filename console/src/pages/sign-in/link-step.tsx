import { useEffect } from "react";
import { messageOf } from "../../api/errors.ts";
import { useEnter } from "../../data/session.ts";
import { useWrite } from "../../data/write.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PasswordStep } from "./password-step.tsx";

interface LinkStepProps {
  token: string;
  onSecondFactor: () => void;
}

/** Signs in by a link that the operator printed; when it is used up, one signs in as usual. */
export function LinkStep({ token, onSecondFactor }: LinkStepProps) {
  const enter = useEnter();
  const { mutate, error } = useWrite("POST /api/auth/sign-in/link", { onDone: () => enter() });
  useEffect(() => mutate({ body: { token } }), [mutate, token]);
  if (!error) return <AccessFrame title="Sign in">{null}</AccessFrame>;
  return (
    <AccessFrame title="Sign in">
      <Notice alert>{messageOf(error)}</Notice>
      <PasswordStep onSecondFactor={onSecondFactor} />
    </AccessFrame>
  );
}
