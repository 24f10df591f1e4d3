import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { markdownOf } from "../convert.ts";

describe("a page as Markdown", () => {
  test("has headings, links, lists, code and tables", () => {
    const html = `<!doctype html><html><head><title>Guide</title></head><body><main><h1>Install</h1>
      <p>Read <a href="/docs">the <em>docs</em></a> first.</p><ul><li>one</li><li>two</li></ul>
      <pre><code class="language-sh">npm ci</code></pre>
      <table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></main></body></html>`;
    const markdown = markdownOf(html);
    assert.match(markdown, /^# Install\n\nRead \[the _docs_\]\(\/docs\) first\.\n/);
    assert.match(markdown, /^- +one$/m);
    assert.match(markdown, /^```sh\nnpm ci\n```$/m);
    assert.match(markdown, /^\| a +\| b +\|\n\| -+ \| -+ \|\n\| 1 +\| 2 +\|$/m);
  });

  test("leaves out scripts, styles, what is hidden, and what surrounds the text", () => {
    const html = `<title>Shop</title><body><nav>Menu</nav><script>alert(1)</script><style>p{}</style>
      <p>Tea</p><p hidden>secret</p><footer>Imprint</footer></body>`;
    assert.equal(markdownOf(html), "# Shop\n\nTea\n");
  });

  test("takes the page's own title only when the text has none", () => {
    assert.equal(
      markdownOf("<title>A\n B</title><article><p>Text</p></article><p>Advertisement</p>"),
      "# A B\n\nText\n",
    );
  });

  test("is made of whatever comes", () => {
    assert.equal(markdownOf(""), "\n");
    assert.equal(markdownOf("<p>unclosed <b>bold"), "unclosed **bold**\n");
  });
});
