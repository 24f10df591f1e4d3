import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("tanstack-start", [applications.tanstackStart]);
