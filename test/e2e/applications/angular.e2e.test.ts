import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("angular", [applications.angular]);
