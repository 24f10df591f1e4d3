import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("laravel", [applications.laravel]);
