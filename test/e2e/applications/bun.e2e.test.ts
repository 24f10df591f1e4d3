import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("bun", [applications.bun]);
