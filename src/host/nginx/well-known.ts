/** Where certificate authorities look whether a name leads to this server. */
export const acmePath = "/.well-known/acme-challenge/";

/** Shows what is live, to requests from the server itself. */
export const releaseCheckPath = "/.well-known/longshore/release";

/** Both of them, as a regular expression: they are answered whatever the state of the site is. */
export const alwaysAnswered = "/\\.well-known/(?:acme-challenge/|longshore/release$)";
