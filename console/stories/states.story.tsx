import { Clock, Wrench } from "lucide-react";
import { Badge } from "../src/ui/badge.tsx";
import { Bytes } from "../src/ui/bytes.tsx";
import { Code, CodeBlock } from "../src/ui/code.tsx";
import { Copy } from "../src/ui/copy.tsx";
import { Dot } from "../src/ui/dot.tsx";
import { Duration } from "../src/ui/duration.tsx";
import { Kbd } from "../src/ui/kbd.tsx";
import { StateIcon } from "../src/ui/state-icon.tsx";
import { Time } from "../src/ui/time.tsx";

const row = "flex flex-wrap items-center gap-x-6 gap-y-2";
const tones = ["ok", "bad", "run", "warn", "idle"] as const;

export const states = {
  "state icons": () => (
    <div className={row}>
      <StateIcon tone="ok" word="Live" state="live" />
      <StateIcon tone="run" word="Deploying" state="running" />
      <StateIcon tone="idle" word="Waiting" icon={Clock} />
      <StateIcon tone="bad" word="Failed" />
      <StateIcon tone="idle" word="Cancelled" />
      <StateIcon tone="idle" word="Not installed" />
      <StateIcon tone="warn" word="In maintenance" icon={Wrench} />
      <StateIcon tone="bad" word="Crashing" />
      <StateIcon tone="bad" word="Down" />
      <StateIcon tone="warn" word="Unreachable" />
    </div>
  ),
  badges: () => (
    <div className={row}>
      {tones.map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone === "idle" ? "Owner" : `${tone} 12`}
        </Badge>
      ))}
      <Badge>متجر</Badge>
    </div>
  ),
  dots: () => (
    <div className={row}>
      {tones.map((tone) => (
        <span key={tone} className="inline-flex items-center gap-1.5">
          <Dot tone={tone} />
          {tone}
        </span>
      ))}
    </div>
  ),
  "times and sizes": () => (
    <div className={row}>
      <Time at={Date.now() - 192_000} />
      <Time at="2026-02-14T09:30:00Z" />
      <Duration ms={412} />
      <Duration ms={72_000} />
      <Duration ms={93_784_000} />
      <Bytes value={812} />
      <Bytes value={1_610_612_736} />
      <Bytes value={48_318_382_080} />
    </div>
  ),
  code: () => (
    <div className="flex flex-col gap-3">
      <p>
        Commit <Code>3f9a2c1</Code> of <Code>feature/checkout</Code> <Copy text="3f9a2c1" label="Copy commit" />
      </p>
      <CodeBlock label="Copy command">
        curl -fsSL https://longshore.example.com/connect/9f3b | sudo bash -s -- --name shop-1 --key ssh-ed25519
      </CodeBlock>
      <p className="flex gap-3">
        <Kbd keys="g p" /> <Kbd keys="⌘ K" /> <Kbd keys="?" />
      </p>
    </div>
  ),
};
