// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of .env files
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseEnvironment, variablesIn } from "../environment.ts";
import { isVariableName, withoutVariable, withVariable } from "../environment-edit.ts";

const valueIn = (text: string, name: string): string | undefined => {
  const parsed = parseEnvironment(text);
  assert.ok("variables" in parsed, JSON.stringify(parsed));
  return parsed.variables.find((variable) => variable.name === name)?.value;
};

const text = "# Shop\nAPP=shop # note\n\nKEY=\"two\nlines\"\nAPP_KEY='x'\nAPP=again\nURL=${APP}";

test("names are listed once, in the order of the lines that count", () => {
  assert.deepEqual(
    variablesIn(text).map(({ name }) => name),
    ["KEY", "APP_KEY", "APP", "URL"],
  );
  assert.deepEqual(variablesIn(""), []);
});

describe("setting one variable", () => {
  test("replaces the line that counts and leaves every other byte", () => {
    assert.equal(withVariable(text, "APP", "new"), text.replace("APP=again", "APP=new"));
    assert.equal(withVariable(text, "KEY", "one"), text.replace('"two\nlines"', "one"));
    assert.equal(valueIn(withVariable(text, "APP", "new"), "URL"), "new");
  });

  test("adds a line at the end, also where the last one has no end", () => {
    assert.equal(withVariable(text, "NEW", "1"), `${text}\nNEW=1\n`);
    assert.equal(withVariable("A=1\n", "NEW", ""), "A=1\nNEW=\n");
    assert.equal(withVariable("", "NEW", "1"), "NEW=1\n");
    assert.equal(withVariable("\uFEFFA=1", "A", "2"), "A=2\n");
  });

  test("keeps any value as it is", () => {
    const values = [
      "",
      " a ",
      "a b",
      "it's",
      '"',
      "'\"`",
      "$HOME ${APP}",
      "$2y$10$abc",
      "a\nb\n",
      "a\r\nb",
      "\\",
      "\\n",
      "a\\",
      "# x",
    ];
    for (const value of [...values, "'\\", "${APP}'", "ä日本🦆", "\u2028", "\t", "A=1\nB=2"]) {
      for (const before of ["", text, "V='old\nvalue'\nW=1"]) {
        const changed = withVariable(before, "V", value);
        assert.equal(valueIn(changed, "V"), value, JSON.stringify(value));
        assert.equal(valueIn(changed, "W"), before.endsWith("W=1") ? "1" : undefined);
        assert.equal(valueIn(changed, "URL"), before === text ? "again" : undefined);
      }
    }
  });
});

test("removing one takes out each of its lines, and nothing else", () => {
  assert.equal(withoutVariable(text, "APP"), "# Shop\n\nKEY=\"two\nlines\"\nAPP_KEY='x'\nURL=${APP}");
  assert.equal(withoutVariable(text, "KEY"), text.replace('KEY="two\nlines"\n', ""));
  assert.equal(withoutVariable("A=1", "A"), "");
  assert.equal(withoutVariable(text, "AP"), undefined);
});

test("a name is what readers of .env files take for one", () => {
  for (const name of ["A", "_", "app_key2", "app.baseURL", "A-B"]) assert.ok(isVariableName(name), name);
  for (const name of ["", "1A", "-A", ".A", "A:B", "A B", "A=B", "Ä", "A\n", "a".repeat(201)])
    assert.ok(!isVariableName(name), name);
});
