/** Where certificate authorities check whether a name leads to this server. */
export const acmePath = "/.well-known/acme-challenge/";

/** Reports the live release, to requests with a deployment's pass. */
export const releaseCheckPath = "/.well-known/longshore/release";

/** Both of them, as a regular expression: they are answered in every state of the site. */
export const alwaysAnswered = "/\\.well-known/(?:acme-challenge/|longshore/release$)";
