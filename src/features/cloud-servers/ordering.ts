import type { OrderHooks } from "../servers/hooks.ts";
import { connectionError, orderServer } from "./order.ts";
import { listProgress } from "./presentation.ts";
import { protectMachine } from "./protection.ts";
import { removeMachine } from "./removal.ts";
import { checkAgain } from "./reorder.ts";

/** What the servers feature uses of this one. */
export const ordering: OrderHooks = {
  connectionError,
  order: orderServer,
  checkAgain,
  listProgress,
  protect: protectMachine,
  remove: removeMachine,
};
