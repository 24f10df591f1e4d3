import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("php", [applications.php]);
