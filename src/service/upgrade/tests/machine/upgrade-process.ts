import { serviceLayout } from "../../../layout.ts";
import { upgradeLayout } from "../../layout.ts";
import type { Outcome, Phase } from "../../phases.ts";
import { settle, upgrade } from "../../upgrade.ts";

// Upgrades the machine of a test in a process of its own, which may kill itself: at the question (`confirm`), or when a phase begins
// or has ended (`copying begins`). Prints the result.

export interface Order {
  root: string;
  version?: string;
  from?: string;
  settle?: "boot" | "watch";
  killAt?: string | undefined;
  stopAt?: string;
  backup?: boolean;
}

const order = JSON.parse(process.argv[2] ?? "") as Order;
const { root, killAt, stopAt, version, from, backup = true } = order;
const stopping = new AbortController();

function reach(moment: string): void {
  if (moment === killAt) process.kill(process.pid, "SIGKILL");
  if (moment === stopAt) stopping.abort();
}

const course = {
  signal: stopping.signal,
  isBoot: order.settle === "boot",
  onPhase: (phase: Phase, outcome?: Outcome) => reach(`${phase} ${outcome ? "ended" : "begins"}`),
};
const notes: string[] = [];
const dialogue = { note: (line: string) => void notes.push(line), confirm: async () => reach("confirm") };

try {
  const layout = upgradeLayout(serviceLayout(root));
  const request = { version, from, backup, waitSeconds: 60 };
  const result = order.settle ? await settle(layout, course) : await upgrade(layout, request, { dialogue, course });
  process.stdout.write(JSON.stringify({ ...result, notes }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: (error as Error).message }));
}
