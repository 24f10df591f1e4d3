import { type Area, endpoint, rule, testsIn } from "./rule.ts";

const channels = testsIn("src/features/notifications/tests/channels.test.ts");
const delivery = testsIn("src/features/notifications/tests/delivery.test.ts");
const trials = testsIn("src/features/notifications/tests/testing.test.ts");
const killed = testsIn("src/features/notifications/tests/killed.test.ts");
const posts = testsIn("src/providers/notify/tests/http.test.ts");
const announcements = testsIn("src/features/deployments/tests/announcements.test.ts");

export const notificationRules: Area = {
  title: "Notifications",
  rules: [
    endpoint(
      "GET /api/v1/notification-channels lists those that the caller may know",
      channels("knows those that hear of nothing else than what it reaches"),
    ),
    endpoint(
      "POST /api/v1/notification-channels makes one, and shows a webhook's secret once",
      channels("is created with what it needs, and on unless told otherwise"),
      channels("that is a webhook shows its secret once, and another one when it is renewed"),
      channels("is refused with every bad field at once"),
      channels("makes channels for projects in reach only, and must name them"),
      channels("is one of fifty at the most"),
    ),
    endpoint(
      "GET /api/v1/notification-channels/{id} shows nothing that opens the target",
      channels("of type … to … shows and stores nothing that opens it"),
    ),
    endpoint(
      "PUT /api/v1/notification-channels/{id} keeps what is omitted, and forgets what is queued when it switches off",
      channels("keeps what is omitted, and its target when it comes back as it was shown"),
      channels("takes a new target, and keeps the bot's token beside it"),
      channels("stays of its type"),
      delivery("is not told any more once the channel is switched off"),
    ),
    endpoint(
      "DELETE /api/v1/notification-channels/{id} deletes it with what it was told",
      channels("is gone when it is deleted, with what it was told"),
    ),
    endpoint(
      "POST /api/v1/notification-channels/{id}/test sends for real and answers with what the other side said",
      trials("reaches a webhook, signed"),
      trials("to … tells what the other side said: …"),
      trials("is answered with 202 when it takes too long"),
    ),
    endpoint(
      "POST /api/v1/notification-channels/{id}/secret renews the secret of a webhook",
      channels("that is a webhook shows its secret once, and another one when it is renewed"),
      delivery("is signed with the new secret once it was renewed"),
    ),
    endpoint(
      "GET /api/v1/notification-channels/{id}/deliveries tells what came of each",
      delivery("is tried again later, with the reason shown and without the secret in it"),
      channels("sees of a channel's past what it reaches"),
    ),
    rule(
      "The end of a deployment is announced once, in the transaction that stores it",
      announcements("is announced once, also when it is stored twice"),
      announcements("announces nothing when its transaction is rolled back"),
    ),
    rule(
      "Deliveries happen at least once, under an id that stays the same",
      killed("a notification whose process is killed in the middle is sent again by the next, under the same id"),
      delivery("is settled by who has the last attempt, not by one that was thought dead"),
    ),
    rule(
      "One channel holds up no other",
      delivery("is told to the others while channels of which there are more than enough never answer"),
    ),
    rule(
      "Private addresses are not reached",
      posts("is not reached, however it is written"),
      posts("is not reached by a name that leads there"),
      posts("follows no redirect"),
    ),
  ],
};
