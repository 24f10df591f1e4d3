import { reading } from "./cache.ts";

/** The version of the server, and a newer one if it looks for that. */
export const installation = () => reading({ organization: null, noun: "installation" }, "GET /api/v1/version");
