import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("nestjs", [applications.nestjs]);
