export const greeting = "greetings of release-1";
