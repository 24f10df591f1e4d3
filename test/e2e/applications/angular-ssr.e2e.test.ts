import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("angular-ssr", [applications.angularServer]);
