import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("yarn", [applications.yarn]);
