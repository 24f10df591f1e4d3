import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("next", [applications.next]);
