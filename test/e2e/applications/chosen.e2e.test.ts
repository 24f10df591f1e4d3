import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

// The choice that every run of the tests has; test/run.ts leaves the other files to `./longshore test applications`.

const { express, viteReact, astro, sveltekit, wordpress, edge } = applications;

describeApplications("applications", [express, viteReact, astro, sveltekit, wordpress, edge]);
