// Syntax colours by file name. Each language is a file of its own that is fetched when the first such file is shown.

import { StreamLanguage, type StreamParser } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

type Load = () => Promise<Extension>;

const old =
  (load: () => Promise<StreamParser<unknown>>): Load =>
  async () =>
    StreamLanguage.define(await load());

// The languages alone: their completions and linters would be as large again, and nobody completes in a review.
const javascript: Load = async () => (await import("@codemirror/lang-javascript")).javascriptLanguage;
const jsx: Load = async () => (await import("@codemirror/lang-javascript")).jsxLanguage;
const typescript: Load = async () => (await import("@codemirror/lang-javascript")).typescriptLanguage;
const tsx: Load = async () => (await import("@codemirror/lang-javascript")).tsxLanguage;
const cpp: Load = async () => (await import("@codemirror/lang-cpp")).cppLanguage;
const css: Load = async () => (await import("@codemirror/lang-css")).cssLanguage;
const go: Load = async () => (await import("@codemirror/lang-go")).goLanguage;
const html: Load = async () => (await import("@codemirror/lang-html")).htmlLanguage;
const java: Load = async () => (await import("@codemirror/lang-java")).javaLanguage;
const json: Load = async () => (await import("@codemirror/lang-json")).jsonLanguage;
const markdown: Load = async () => (await import("@codemirror/lang-markdown")).markdownLanguage;
const php: Load = async () => (await import("@codemirror/lang-php")).phpLanguage;
const python: Load = async () => (await import("@codemirror/lang-python")).pythonLanguage;
const rust: Load = async () => (await import("@codemirror/lang-rust")).rustLanguage;
const sql: Load = async () => (await import("@codemirror/lang-sql")).StandardSQL.language;
const xml: Load = async () => (await import("@codemirror/lang-xml")).xmlLanguage;
const yaml: Load = async () => (await import("@codemirror/lang-yaml")).yamlLanguage;
const clike = (name: "csharp" | "kotlin" | "scala" | "dart"): Load =>
  old(async () => (await import("@codemirror/legacy-modes/mode/clike"))[name]);
const clojure = old(async () => (await import("@codemirror/legacy-modes/mode/clojure")).clojure);
const cmake = old(async () => (await import("@codemirror/legacy-modes/mode/cmake")).cmake);
const diff = old(async () => (await import("@codemirror/legacy-modes/mode/diff")).diff);
const dockerfile = old(async () => (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile);
const erlang = old(async () => (await import("@codemirror/legacy-modes/mode/erlang")).erlang);
const haskell = old(async () => (await import("@codemirror/legacy-modes/mode/haskell")).haskell);
const julia = old(async () => (await import("@codemirror/legacy-modes/mode/julia")).julia);
const lisp = old(async () => (await import("@codemirror/legacy-modes/mode/commonlisp")).commonLisp);
const lua = old(async () => (await import("@codemirror/legacy-modes/mode/lua")).lua);
const perl = old(async () => (await import("@codemirror/legacy-modes/mode/perl")).perl);
const powershell = old(async () => (await import("@codemirror/legacy-modes/mode/powershell")).powerShell);
const properties = old(async () => (await import("@codemirror/legacy-modes/mode/properties")).properties);
const protobuf = old(async () => (await import("@codemirror/legacy-modes/mode/protobuf")).protobuf);
const r = old(async () => (await import("@codemirror/legacy-modes/mode/r")).r);
const ruby = old(async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby);
const shell = old(async () => (await import("@codemirror/legacy-modes/mode/shell")).shell);
const swift = old(async () => (await import("@codemirror/legacy-modes/mode/swift")).swift);
const toml = old(async () => (await import("@codemirror/legacy-modes/mode/toml")).toml);

/** Endings, and whole names where there is no ending. */
const TABLE: readonly (readonly [string, Load])[] = [
  ["js cjs mjs", javascript],
  ["jsx", jsx],
  ["ts cts mts", typescript],
  ["tsx", tsx],
  ["json jsonc json5 ipynb webmanifest", json],
  ["py pyi pyw", python],
  ["rs", rust],
  ["go", go],
  ["java", java],
  ["c h cc cpp cxx hh hpp hxx ino m mm cu", cpp],
  ["cs", clike("csharp")],
  ["kt kts", clike("kotlin")],
  ["scala sc", clike("scala")],
  ["dart", clike("dart")],
  ["css scss less", css],
  ["html htm vue svelte astro", html],
  ["xml svg xsd xsl plist csproj", xml],
  ["md markdown mdx", markdown],
  ["php", php],
  ["sql", sql],
  ["yml yaml", yaml],
  ["toml cargo.lock", toml],
  ["ini cfg conf properties editorconfig gitconfig", properties],
  ["sh bash zsh fish bashrc zshrc profile", shell],
  ["ps1 psm1", powershell],
  ["rb gemspec rakefile gemfile", ruby],
  ["pl pm", perl],
  ["lua", lua],
  ["swift", swift],
  ["hs", haskell],
  ["erl hrl", erlang],
  ["clj cljs cljc edn", clojure],
  ["el lisp lsp", lisp],
  ["r", r],
  ["jl", julia],
  ["proto", protobuf],
  ["cmake cmakelists.txt", cmake],
  ["dockerfile containerfile", dockerfile],
  ["diff patch", diff],
];

/** The colours for a file, or none. A language that cannot be fetched costs its colours, nothing more. */
export async function language(path: string): Promise<Extension> {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const load = [name, ending].map((word) => TABLE.find(([words]) => words.split(" ").includes(word))).find(Boolean);
  try {
    return load ? await load[1]() : [];
  } catch {
    return [];
  }
}
