import { AsyncLocalStorage } from "node:async_hooks";

// Another interface of this process, such as MCP, answers one request with several requests to the API. It counts its own
// requests, with a limit of its own, and those to the API are not counted again.

const counted = new AsyncLocalStorage<true>();

/** The requests that `send` makes to this process's own application are not limited by the limits of the API. */
export const asCounted = <Done>(send: () => Promise<Done>): Promise<Done> => counted.run(true, send);

/** Nothing in a request can claim this: it is a property of the code that sends it. */
export const isCounted = (): boolean => counted.getStore() === true;
