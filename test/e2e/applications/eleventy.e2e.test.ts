import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("eleventy", [applications.eleventy]);
