import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("symfony", [applications.symfony]);
