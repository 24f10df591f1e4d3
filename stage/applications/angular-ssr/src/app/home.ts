import { Component } from "@angular/core";

@Component({ selector: "app-home", template: "<h1>release-1</h1>" })
export class Home {}
