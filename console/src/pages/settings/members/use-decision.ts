import type { Member } from "../../../../../contract/types.ts";
import { useAllowed } from "../../../data/me.ts";

export type Role = Member["role"];

/** What the account may decide about members, as the API refuses it. */
export interface Decision {
  /** Why it may decide nothing at all. */
  refusal: string | undefined;
  /** Why it may not decide about members of a role. */
  refusalFor: (role: Role) => string | undefined;
}

export function useDecision(): Decision {
  const allowed = useAllowed();
  const refusal = allowed?.restriction
    ? "Your membership is restricted, so you cannot decide about members and invitations."
    : undefined;
  const refusalFor = (role: Role) =>
    refusal ??
    (role === "Owner" && allowed?.role !== "Owner" ? "Only an Owner can decide who is an Owner." : undefined);
  return { refusal, refusalFor };
}
