import type { Context } from "../../../context.ts";
import type { Clock } from "../../../lib/clock.ts";
import { limitConcurrency } from "../../../lib/limit.ts";
import { noticeDue, recordCertificate } from "./certificates.ts";
import type { CheckResult } from "./client.ts";
import type { LocalOutage } from "./local-outage.ts";
import { Outcomes } from "./outcome.ts";
import { endDisturbance } from "./queries.ts";
import type { Reaches } from "./reach.ts";
import type { Storage } from "./storage.ts";
import type { Watch, Watches } from "./watches.ts";

const verdictsAtOnce = 3;
/** Older results cannot lead to a verdict. */
const staleMs = 90_000;

interface JudgeDeps {
  ctx: Pick<Context, "config" | "pool" | "log" | "queue" | "hosts">;
  clock: Clock;
  watches: Watches;
  reaches: Reaches;
  storage: Storage;
  localOutage: LocalOutage;
}

/** Decides what the result of a check means: no change, a failure to be confirmed, or a verdict. */
export class Judge {
  private readonly deps: JudgeDeps;
  private readonly outcomes: Outcomes;
  /** Limits concurrent verdicts, so that other work has database connections, such as the renewal of this process's leases. */
  private readonly limitVerdicts = limitConcurrency(verdictsAtOnce);

  constructor(deps: JudgeDeps) {
    this.deps = deps;
    this.outcomes = new Outcomes({ ...deps, limitVerdicts: this.limitVerdicts });
  }

  /** `at`: when the check began. */
  async judge(watch: Watch, result: CheckResult, at: number): Promise<void> {
    const { storage, localOutage } = this.deps;
    localOutage.addResult(watch, result, at);
    const isDoubtful = !result.isUp && localOutage.startedAt !== undefined;
    if (isDoubtful && watch.monitor.current_status !== "down") return storage.skip(watch, at);
    storage.addResult(watch, result, at);
    await this.storeCertificate(watch, result);
    if (result.isUp) await this.judgePass(watch, result, at);
    else await this.judgeFailure(watch, result, at);
  }

  private async judgePass(watch: Watch, result: CheckResult, at: number): Promise<void> {
    const { ctx, storage } = this.deps;
    const { monitor } = watch;
    watch.failures = 0;
    if (monitor.is_disturbed) {
      monitor.is_disturbed = false;
      await endDisturbance(ctx.pool, monitor.id);
    }
    if (monitor.current_status === "up") return storage.addState(watch, "up", at);
    await this.outcomes.recordRecovery(watch, { result, at });
  }

  private async judgeFailure(watch: Watch, result: CheckResult, at: number): Promise<void> {
    const { clock, storage, localOutage } = this.deps;
    if (watch.failures === 0) watch.firstFailureAt = at;
    watch.failures++;
    const { monitor } = watch;
    if (monitor.current_status === "down") return storage.addState(watch, "down", at);
    if (watch.failures < monitor.confirmation_threshold) return;
    if (await localOutage.isSuspected(watch, at)) return storage.skip(watch, watch.firstFailureAt);
    const mostAgeMs = staleMs + monitor.timeout_seconds * 2_000;
    const isStale = () => watch.isDropped || clock.now().getTime() - at > mostAgeMs;
    await this.outcomes.confirmFall(watch, { result, at, isStale });
  }

  private async storeCertificate({ monitor }: Watch, { certificateExpiresAt }: CheckResult): Promise<void> {
    if (!certificateExpiresAt) return;
    const { ctx, clock, storage } = this.deps;
    if (noticeDue(certificateExpiresAt, clock.now()) !== null) {
      return this.limitVerdicts(() => recordCertificate(ctx, monitor, certificateExpiresAt, clock.now()));
    }
    // No event: stored with the results.
    const expiresAt = certificateExpiresAt.toISOString();
    if (monitor.certificate_expires_at && Date.parse(monitor.certificate_expires_at) === Date.parse(expiresAt)) return;
    [monitor.certificate_expires_at, monitor.certificate_notice_days] = [expiresAt, null];
    storage.addCertificate(monitor, certificateExpiresAt);
  }
}
