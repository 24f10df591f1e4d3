import type { ServerRequest } from "../../../../contract/types.ts";

/** Of the forms for a custom server and for an order. */
export interface ServerFormProps {
  onSubmit: (body: ServerRequest) => void;
  error: Error | null;
  isPending: boolean;
}
