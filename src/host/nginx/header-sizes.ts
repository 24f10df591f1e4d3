// How long headers may be on their way between a visitor and an application. Cookies of large sites have 32 KB, sign-ins with a
// ticket in the address 16 KB; answers set forty cookies.

/**
 * The buffers for the headers of an answer, each for what the hop before it lets pass and the headers that were added there: from an
 * application, from a node or the Markdown converter, and from the server that a project has moved to.
 */
export const answerHeaders = { application: "64k", node: "72k", formerServer: "80k" } as const;

/** nginx needs room for a whole buffer of headers that it has not sent, and for what it reads meanwhile. */
export const answerBuffers = "16 16k";

/** Node accepts 16 KB by default. More than nginx passes, so that only nginx refuses a request (`large_client_header_buffers`). */
export const nodeHeaderOption = "--max-http-header-size=163840";
