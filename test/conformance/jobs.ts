import { type Area, endpoint, rule, testsIn } from "./rule.ts";

const jobs = testsIn("src/features/jobs/tests/jobs.test.ts");
const plans = testsIn("src/features/jobs/tests/plans.test.ts");
const cron = testsIn("src/host/tests/cron.test.ts");
const real = testsIn("test/e2e/jobs.e2e.test.ts");

const scheduled = jobs("create, list, read, change and delete scheduled jobs");
const background = jobs("create, list, read, change and delete background jobs");

export const jobRules: Area = {
  title: "Scheduled and background jobs",
  rules: [
    endpoint("GET /api/v1/projects/{id}/scheduler-jobs answers pages of 25", scheduled),
    endpoint(
      "POST /api/v1/projects/{id}/scheduler-jobs answers 201 with the job",
      scheduled,
      jobs("end at 50 of a kind"),
    ),
    endpoint("GET /api/v1/projects/{id}/scheduler-jobs/{jobId} answers the job", scheduled),
    endpoint("PUT /api/v1/projects/{id}/scheduler-jobs/{jobId} changes what is sent", scheduled),
    endpoint(
      "DELETE /api/v1/projects/{id}/scheduler-jobs/{jobId} takes it out of the crontab",
      scheduled,
      real("is in no crontab when it is switched off or deleted"),
    ),
    endpoint(
      "POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run starts it now, once at a time",
      real("is run by hand, once at a time"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/scheduler-jobs/{jobId}/log answers the last lines",
      real("is run by cron, as the project's user, with its command as it was written"),
    ),
    endpoint("GET /api/v1/projects/{id}/background-jobs answers pages of 25", background),
    endpoint("POST /api/v1/projects/{id}/background-jobs answers 201 with the job", background),
    endpoint("GET /api/v1/projects/{id}/background-jobs/{jobId} answers the job", background),
    endpoint(
      "PUT /api/v1/projects/{id}/background-jobs/{jobId} changes what is sent",
      background,
      real("gets more or fewer processes, and leaves those that stay as they are"),
      real("stops when it is switched off, and starts with a new command"),
    ),
    endpoint(
      "DELETE /api/v1/projects/{id}/background-jobs/{jobId} stops it",
      background,
      real("leaves nothing when it is deleted"),
    ),
    endpoint("POST /api/v1/projects/{id}/background-jobs/{jobId}/restart starts it anew", real("is restarted by hand")),
    endpoint(
      "GET /api/v1/projects/{id}/background-jobs/{jobId}/log answers the last lines, without secrets",
      real("shows no secret of the project in its log"),
    ),
    rule(
      "Cron expressions are those of the servers' cron, in the server's time zone",
      cron("are five fields or a nickname, with single spaces and in lower case"),
      cron("that the servers' cron does not understand are refused with a sentence"),
      cron("tell when they come next, in the server's time zone"),
    ),
    rule(
      "Jobs run as the project's user, in the live release, with its environment; root and others are refused",
      real("runs in as many processes as asked, as the project's user, in the live release with its environment"),
      real("is run by cron, as the project's user, with its command as it was written"),
      jobs("name everything that is wrong"),
    ),
    rule(
      "Commands and names are data for everything but the job's own shell",
      real("are data, or the project's own business"),
      plans("has a line for each scheduled job, without anything that a user wrote but the schedule"),
    ),
    rule(
      "A deployment restarts background jobs once its release is live, and one that fails does not",
      real("is started anew by a deployment, and runs the new code"),
      real("is not touched by a deployment that fails"),
      real("gets the environment of now with a recycle"),
      jobs("restart background jobs once the release was seen to be served"),
      jobs("are followed by a look at the processes when jobs came meanwhile, or the release was put back"),
    ),
    rule(
      "status and error are what the server said",
      jobs("by one run, whose end says that a job is active"),
      jobs("with another run when they changed while one was under way"),
      jobs("tells why it could not, and tries again with the next request"),
      real("that ends at once says so, waits longer each time, and is mended by a change"),
    ),
    rule("Background jobs survive a reboot", real("starts background jobs again after a reboot")),
    rule("A project that is deleted leaves no job", real("loses everything of them with the project")),
    rule(
      "max_memory limits each process, and Node's heap",
      real("has each process limited in memory, and Node told of it"),
      plans("limits each process, and the heap of Node"),
    ),
  ],
};
