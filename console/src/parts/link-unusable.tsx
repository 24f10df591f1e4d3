import type { ReactNode } from "react";
import { messageOf } from "../api/errors.ts";
import { AccessFrame } from "./access-frame.tsx";

interface LinkUnusableProps {
  title: string;
  /** Why the API refused it; without one, the address has no token. */
  error: Error | null;
  /** Where to go instead. */
  children: ReactNode;
}

/** In place of the page behind a mailed link that was used, replaced, or has expired. */
export const LinkUnusable = ({ title, error, children }: LinkUnusableProps) => (
  <AccessFrame title={title} lead={error ? messageOf(error) : "The link is not complete. Open it from the mail."}>
    <div className="flex flex-wrap gap-2">{children}</div>
  </AccessFrame>
);
