import { forgetRecent } from "../../data/recent.ts";
import { useSignOut } from "../../data/session.ts";

/** Ends the session; nothing is left in the browser of what the account saw. */
export function useSignOutHere(): () => void {
  const signOut = useSignOut();
  return () => {
    forgetRecent();
    signOut.mutate();
  };
}
