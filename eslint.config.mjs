// What `make check` asks of the viewer's scripts, besides that their types are right.
import js from "./.venv/lint/node_modules/@eslint/js/src/index.js";

const MARKUP = "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|write|writeln)$/]";

export default [
  { files: ["src/neardup/web/static/*.js"], ...js.configs.recommended },
  {
    files: ["src/neardup/web/static/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", 60],
      "max-len": ["error", 130],
      "max-depth": ["error", 4],
      "max-params": ["error", 6],
      complexity: ["error", 15],
      eqeqeq: "error",
      "no-console": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-shadow": "error",
      "no-undef": "off", // TypeScript knows better
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "require-unicode-regexp": "error",
      "no-restricted-syntax": [
        "error",
        { selector: MARKUP, message: "Texts may be hostile: they become texts, never markup." },
        { selector: "TemplateElement[value.raw=/\\n/]", message: "Lines that look like comments are left out of reports." },
      ],
    },
  },
];
