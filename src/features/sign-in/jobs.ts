import type { Context } from "../../context.ts";
import type { Chore } from "../../engine/worker.ts";
import { deleteExpired } from "./queries.ts";

const hourMs = 3_600_000;

export const signInChores = ({ pool }: Context): Chore[] => [
  {
    name: "forget ended sessions",
    everyMs: hourMs,
    work: async () => {
      await deleteExpired(pool);
    },
  },
];
