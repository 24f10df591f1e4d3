import { after, before, describe, it } from "node:test";
import { lengthy } from "../../stage/support.ts";
import { isOfOrganization, isPlain, openWalk, report, type Walk } from "./walk/open.ts";
import { Walker } from "./walk/walker.ts";

// Visits every page of the console and presses everything on it that can be pressed, as people of three roles: an Owner in
// `walk-….test.ts`, the others here. A new page is found in the table of routes: the walk fails until something links to it.

let walk: Walk;

before(async () => {
  walk = await openWalk();
});
after(() => walk?.close());

const withoutAccount = [
  "/setup",
  "/sign-in",
  "/forgot-password",
  "/reset-password",
  "/confirm-email",
  "/invitations/of%20the%20walk",
];

describe("pressing everything there is", () => {
  for (const [who, as] of [
    ["bob", "a restricted member"],
    ["victor", "a viewer"],
  ] as const) {
    // They see less of the same pages, and some kinds of records not at all.
    it(`breaks nothing for ${as}`, lengthy, (t) =>
      walk.press(t, who, {
        mostPresses: 8,
        isWalked: isOfOrganization,
        isExpected: (pattern) => isOfOrganization(pattern) && isPlain(pattern),
      }),
    );
  }

  it("breaks nothing for a person who is not signed in", lengthy, async (t) => {
    const page = await walk.stage.visit("/sign-in", { reducedMotion: "reduce" });
    const walker = new Walker(page, { start: withoutAccount, mostPresses: 15, isWalked: () => true });
    await walker.walk();
    report(t, walker);
  });
});
