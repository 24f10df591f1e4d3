import { chosen } from "../../../stage/applications/list.ts";
import { describeApplications } from "./suite.ts";

// The choice that every run of the tests has; test/run.ts leaves the other files to `./longshore test applications`.

describeApplications("applications", chosen);
