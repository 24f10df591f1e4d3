import type { Plan } from "../../../http/dry-run.ts";
import type { Answer } from "../answers.ts";

const mbOf = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1_000_000))} MB`;

/** What the API counted, in sentences; names of what is lost are fenced. */
export function sayPlan(answer: Answer, plan: Plan): void {
  for (const { noun, count, bytes } of plan.lost) {
    answer.say(`Lost: ${count} ${noun}${count === 1 ? "" : "s"}${bytes === null ? "" : `, ${mbOf(bytes)}`}.`);
  }
  const names = plan.lost.flatMap(({ noun, names }) => names.map((name) => `${noun}: ${name}`));
  answer.quote("the names of what is lost", names.join("\n"));
  if (plan.price) {
    const { monthly_price_net: net, monthly_price_gross: gross, currency } = plan.price;
    answer.say(`Price: ${net} ${currency} a month without VAT, ${gross} with it.`);
  }
  if (plan.needs_build !== null) {
    answer.say(plan.needs_build ? "It has to be built again." : "No build is needed: the release is on the server.");
  }
  for (const warning of plan.warnings) answer.say(warning);
  if (plan.release) answer.say(`Commit: ${plan.release.commit_id?.slice(0, 10) ?? "not recorded"}.`);
}
