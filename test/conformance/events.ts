import { type Area, endpoint, rule, testsIn } from "./rule.ts";

const stream = testsIn("src/features/events/tests/stream.test.ts");

export const events: Area = {
  title: "Events",
  rules: [
    endpoint("GET /api/v1/events streams what changes", stream("tells what happens from now on, with ids that grow")),
    rule(
      "Only what the caller may read: organization, reach, token",
      stream("tells nothing of other organizations"),
      stream("tells a restricted member of what is in reach only"),
      stream("tells a token only of what it may read"),
    ),
    rule(
      "Resumable with Last-Event-ID",
      stream("tells what was missed, once and in order, and goes on"),
      stream("misses no event whose transaction was the last to commit, though it was the first to emit"),
    ),
    rule(
      "Says when events were missed that are not kept any more",
      stream("says when events were missed that are not kept any more"),
    ),
    rule(
      "Ends when the token or the membership does",
      stream("ends when its token is revoked or expires"),
      stream("ends when the membership changes"),
    ),
    rule(
      "Events are kept as long as the setting says",
      stream("are deleted when they are older than the setting says"),
    ),
  ],
};
