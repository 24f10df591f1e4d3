/** Which form of the names redirects to the other: the values of `www_redirect`, and what each does. */
export const wwwRedirects = [
  { value: "0", label: "None" },
  { value: "1", label: "www.example.com redirects to example.com" },
  { value: "2", label: "example.com redirects to www.example.com" },
];
