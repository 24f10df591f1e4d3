import { after, before, it } from "node:test";
import { lengthy } from "../../stage/support.ts";
import { areas } from "./walk/areas.ts";
import { openWalk, type Walk } from "./walk/open.ts";

let walk: Walk;

before(async () => {
  walk = await openWalk();
});
after(() => walk?.close());

it("pressing everything breaks nothing for an Owner on the pages of servers", lengthy, (t) =>
  walk.press(t, "alice", { mostPresses: 40, isWalked: areas.servers }),
);
