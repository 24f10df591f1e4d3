import { textTones } from "../../../ui/tones.ts";
import type { TestResult } from "./use-test.ts";

/** How the test of a channel went; read out when it arrives. */
export const TestResultLine = ({ result }: { result: TestResult | undefined }) => (
  <p
    role="status"
    dir="auto"
    className={`empty:hidden [overflow-wrap:anywhere] ${result ? textTones[result.tone] : ""}`}
  >
    {result?.text}
  </p>
);
