import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("react-router", [applications.reactRouter]);
