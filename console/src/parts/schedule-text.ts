const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const nicknames: Record<string, string> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
};

/** A schedule in words: "Every 5 minutes", "Every Monday at 03:00". Undefined for what words would not make clearer. */
export function scheduleText(expression: string): string | undefined {
  const given = expression.trim();
  if (given === "@reboot") return "When the server starts";
  const fields = (nicknames[given] ?? given).split(/\s+/);
  const [minute = "", hour = "", date = "", month = "", day = ""] = fields;
  if (fields.length !== 5 || month !== "*") return undefined;
  if (date === "*" && day === "*" && hour === "*") return withinHours(minute);
  if (date === "*" && day === "*" && isNumber(minute) && stepOf(hour)) {
    return `Every ${stepOf(hour)} hours at minute ${Number(minute)}`;
  }
  if (!isNumber(minute) || !isNumber(hour)) return undefined;
  const on = dayText(date, day);
  return on && `${on} at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
}

function withinHours(minute: string): string | undefined {
  if (minute === "*" || minute === "*/1") return "Every minute";
  const step = stepOf(minute);
  if (step) return `Every ${step} minutes`;
  if (minute === "0") return "Every hour";
  return isNumber(minute) ? `Every hour at minute ${Number(minute)}` : undefined;
}

function dayText(date: string, day: string): string | undefined {
  if (date === "*" && day === "*") return "Every day";
  if (date === "*" && day === "1-5") return "Monday to Friday";
  if (date === "*" && /^[0-7]$/.test(day)) return `Every ${days[Number(day)]}`;
  return isNumber(date) && day === "*" ? `On day ${Number(date)} of each month` : undefined;
}

const isNumber = (field: string): boolean => /^\d{1,2}$/.test(field);

/** The step of "*" + "/5"; undefined for anything else, and for a step of one. */
const stepOf = (field: string): string | undefined => {
  const step = /^\*\/(\d{1,2})$/.exec(field)?.[1];
  return step === undefined || Number(step) < 2 ? undefined : step;
};
