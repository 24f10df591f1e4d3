import type { Config } from "../config.ts";
import { pollUntil } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { plainAddress } from "./installation.ts";
import { run } from "./machine.ts";
import { lastLogLines, readUnit, type UnitState } from "./systemd.ts";

/** `ok`; `unavailable`: it answers, and its database or its disk does not; `unreachable`. */
export type Health = "ok" | "unavailable" | "unreachable";

const answerMs = 5_000;
const logLines = 20;

/** What the service answers about itself on this machine; a worker answers nothing, so that its unit counts. */
export async function readHealth(config: Config, unit: UnitState): Promise<Health> {
  if (config.role === "worker") return unit.active === "active" && (await isReady(unit)) ? "ok" : "unreachable";
  try {
    const answer = await fetch(`${plainAddress(config)}/api/v1/health`, { signal: AbortSignal.timeout(answerMs) });
    await answer.body?.cancel();
    return answer.status === 200 ? "ok" : "unavailable";
  } catch {
    return "unreachable";
  }
}

/** Whether this start has logged that it is ready. */
async function isReady({ invocation }: UnitState): Promise<boolean> {
  const { stdout } = await run([
    "journalctl",
    "--quiet",
    "--no-pager",
    "--output=cat",
    `_SYSTEMD_INVOCATION_ID=${invocation}`,
  ]);
  return stdout.includes("Longshore is ready");
}

/**
 * Waits until the service is healthy. Throws AppError("unavailable") with the last lines of its log if it failed to start, or is not
 * healthy in time.
 */
export async function waitForHealth(config: Config, timeoutMs: number): Promise<void> {
  const { restarts: before } = await readUnit();
  const look = async (): Promise<"ok" | "failed" | undefined> => {
    const unit = await readUnit();
    if (unit.active === "active" && (await readHealth(config, unit)) === "ok") return "ok";
    // Restarted by systemd several times: the cause is not one that passes.
    return unit.active === "failed" || unit.restarts >= before + 3 ? "failed" : undefined;
  };
  const outcome = await pollUntil(look, { timeoutMs, everyMs: 250 });
  if (outcome === "ok") return;
  const reason = outcome === "failed" ? "does not start" : `was not healthy within ${timeoutMs / 1_000} s`;
  const lines = (await lastLogLines(logLines)).map((line) => `  ${line}`);
  throw new AppError("unavailable", [`The service ${reason}. The last lines of its log:`, ...lines].join("\n"));
}
