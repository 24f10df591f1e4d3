import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { request } from "../../api/client.ts";
import { askForPasskey, canFillPasskeys, type PasskeyRequest } from "../../api/passkeys.ts";
import { useEnter } from "../../data/session.ts";

/** A challenge of the server ends after five minutes. */
const challengeMs = 4 * 60_000;

/** Signs in by a passkey: on demand, and meanwhile from the list of the field for the email. */
export function usePasskeySignIn() {
  const enter = useEnter();
  const [refusal, setRefusal] = useState<Error | null>(null);
  const asking = useMutation({
    mutationFn: () => signInByPasskey({ isFilled: false, signal: AbortSignal.timeout(challengeMs) }),
    onSuccess: (isSignedIn) => (isSignedIn ? enter() : undefined),
  });
  useEffect(() => {
    // A browser asks for one passkey at a time.
    if (asking.isPending) return;
    const left = new AbortController();
    offerInField(left.signal).then((isSignedIn) => (isSignedIn ? enter() : undefined), setRefusal);
    return () => left.abort();
  }, [asking.isPending, enter]);
  return { ask: () => asking.mutate(), isPending: asking.isPending, error: asking.error ?? refusal };
}

async function offerInField(left: AbortSignal): Promise<boolean> {
  while (!left.aborted && (await canFillPasskeys())) {
    const expired = AbortSignal.timeout(challengeMs);
    if (await signInByPasskey({ isFilled: true, signal: AbortSignal.any([left, expired]) })) return true;
    if (!expired.aborted) return false;
  }
  return false;
}

/** False when the person cancels. */
async function signInByPasskey(how: PasskeyRequest): Promise<boolean> {
  const options = await request("GET /api/auth/passkey/generate-authenticate-options");
  const response = await askForPasskey(options, how);
  if (!response) return false;
  await request("POST /api/auth/passkey/verify-authentication", { body: { response } });
  return true;
}
