import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("sqlite", [applications.sqlite]);
