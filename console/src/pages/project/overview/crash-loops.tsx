import type { ProjectReply } from "../../../../../contract/types.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Time } from "../../../ui/time.tsx";

/** Processes that keep crashing, with their last words. */
export function CrashLoops({ project }: { project: ProjectReply }) {
  return project.crash_loops.map((loop) => (
    <Notice
      key={`${loop.server_id}-${loop.job_id}`}
      tone="bad"
      title={loop.job_id === null ? "The process keeps crashing" : "A background job keeps crashing"}
    >
      <p>
        {loop.restarts} restarts in ten minutes, since <Time at={loop.since} />.
      </p>
      {loop.last_lines.length > 0 && (
        <pre className="mt-2 max-h-48 overflow-auto rounded-control bg-log p-2 text-meta">
          {loop.last_lines.join("\n")}
        </pre>
      )}
    </Notice>
  ));
}
