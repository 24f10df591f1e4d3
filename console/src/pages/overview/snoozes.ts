export interface Snooze {
  label: string;
  until: Date;
}

const hourMs = 3_600_000;
const morning = 9;

/** For how long one may want to hide something, in the time zone of the browser. */
export const snoozes = (now: Date): Snooze[] => [
  { label: "For an hour", until: new Date(now.getTime() + hourMs) },
  { label: "Until tomorrow morning", until: morningAfter(now, 1) },
  { label: "For a week", until: morningAfter(now, 7) },
  { label: "For 30 days", until: morningAfter(now, 30) },
];

function morningAfter(now: Date, days: number): Date {
  const then = new Date(now);
  then.setDate(then.getDate() + days);
  then.setHours(morning, 0, 0, 0);
  return then;
}
