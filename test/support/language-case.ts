/**
 * The same eight changes in every language: the edit, and where errors must appear and disappear.
 *
 * Invariant: each workspace is clean except for the one error that `mend` fixes.
 */
export interface Step {
  readonly path: string;
  readonly replace: string;
  readonly with: string;
}

export interface LanguageCase {
  readonly language: string;
  /** The server's binary, if it is not part of the package. */
  readonly binary?: string;
  readonly files: Readonly<Record<string, string>>;
  /** An edit that breaks the file it is made in. */
  readonly breaking: Step;
  /** An edit that fixes an existing error. */
  readonly mend: Step;
  /** An edit above that error which only moves it. */
  readonly move: Step;
  /** Removes or changes a declaration that another file uses, so that the error appears in that file. */
  readonly removeExport: Step;
  readonly changeSignature: Step;
  readonly dependent: string;
  /** A file that is not on disk, and the edit that uses it; with `wrong` instead of `right` that edit has an error. */
  readonly create: {
    readonly path: string;
    readonly right: string;
    readonly wrong: string;
    readonly use: Step;
  };
  /** A file whose absence breaks the dependent, or only the file that declares it. */
  readonly remove: string;
  readonly declaredIn?: string;
  readonly rename: { readonly from: string; readonly to: string };
  /** What a clean answer is worth in file scope; a compiler that knows more speaks in workspace scope. */
  readonly cleanInFileScope: 'high' | 'low';
}

const typescript: LanguageCase = {
  language: 'typescript',
  files: {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        lib: ['es2023'],
        noEmit: true,
        module: 'esnext',
        moduleResolution: 'bundler',
      },
    }),
    'src/math.ts':
      'export function add(a: number, b: number): number {\n  return a + b;\n}\n\nexport const zero = 0;\n',
    'src/app.ts':
      "import { add, zero } from './math';\n\nexport const sum: number = add(1, zero);\n\nexport const old: string = 7;\n",
    'src/lone.ts': 'export const lone = 1;\n',
  },
  breaking: { path: 'src/lone.ts', replace: 'lone = 1', with: "lone: number = 'one'" },
  mend: { path: 'src/app.ts', replace: 'old: string = 7', with: "old: string = '7'" },
  move: {
    path: 'src/app.ts',
    replace: 'export const sum',
    with: '// a line\n// and another\nexport const sum',
  },
  removeExport: { path: 'src/math.ts', replace: 'export const zero', with: 'const zero' },
  changeSignature: { path: 'src/math.ts', replace: 'b: number', with: 'b: number, c: number' },
  dependent: 'src/app.ts',
  create: {
    path: 'src/fresh.ts',
    right: 'export const fresh: number = 1;\n',
    wrong: "export const fresh: string = '1';\n",
    use: {
      path: 'src/lone.ts',
      replace: 'export const lone = 1',
      with: "import { fresh } from './fresh';\nexport const lone: number = fresh",
    },
  },
  remove: 'src/math.ts',
  rename: { from: 'src/math.ts', to: 'src/arithmetic.ts' },
  cleanInFileScope: 'high',
};

const python: LanguageCase = {
  language: 'python',
  files: {
    'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }),
    'kit/__init__.py': '',
    'kit/math.py': 'def add(a: int, b: int) -> int:\n    return a + b\n\n\nzero: int = 0\n',
    'kit/app.py': 'from kit.math import add, zero\n\ntotal: int = add(1, zero)\n\nold: str = 7\n',
    'kit/lone.py': 'lone = 1\n',
  },
  breaking: { path: 'kit/lone.py', replace: 'lone = 1', with: "lone: int = 'one'" },
  mend: { path: 'kit/app.py', replace: 'old: str = 7', with: "old: str = '7'" },
  move: { path: 'kit/app.py', replace: 'total: int', with: '# a line\n# and another\ntotal: int' },
  removeExport: { path: 'kit/math.py', replace: 'zero: int', with: 'nought: int' },
  changeSignature: { path: 'kit/math.py', replace: 'b: int', with: 'b: int, c: int' },
  dependent: 'kit/app.py',
  create: {
    path: 'kit/fresh.py',
    right: 'fresh: int = 1\n',
    wrong: "fresh: str = '1'\n",
    use: { path: 'kit/lone.py', replace: 'lone = 1', with: 'from kit.fresh import fresh\nlone: int = fresh' },
  },
  remove: 'kit/math.py',
  rename: { from: 'kit/math.py', to: 'kit/arithmetic.py' },
  cleanInFileScope: 'high',
};

const go: LanguageCase = {
  language: 'go',
  binary: 'gopls',
  files: {
    'go.mod': 'module example.test/kit\n\ngo 1.21\n',
    'math/math.go': 'package math\n\nfunc Add(a int, b int) int {\n\treturn a + b\n}\n\nconst Zero = 0\n',
    'app/app.go':
      'package app\n\nimport "example.test/kit/math"\n\nvar Sum int = math.Add(1, math.Zero)\n\nvar Old string = 7\n',
    'lone/lone.go': 'package lone\n\nvar Lone = 1\n',
  },
  breaking: { path: 'lone/lone.go', replace: 'Lone = 1', with: 'Lone int = "one"' },
  mend: { path: 'app/app.go', replace: 'Old string = 7', with: 'Old string = "7"' },
  move: { path: 'app/app.go', replace: 'var Sum', with: '// a line\n// and another\nvar Sum' },
  removeExport: { path: 'math/math.go', replace: 'const Zero', with: 'const Nought' },
  changeSignature: {
    path: 'math/math.go',
    replace: 'a int, b int) int {\n\treturn a',
    with: 'a string, b int) int {\n\treturn len(a)',
  },
  dependent: 'app/app.go',
  create: {
    path: 'lone/fresh.go',
    right: 'package lone\n\nvar fresh int = 1\n',
    wrong: 'package lone\n\nvar fresh string = "1"\n',
    use: { path: 'lone/lone.go', replace: 'Lone = 1', with: 'Lone int = fresh' },
  },
  remove: 'math/math.go',
  rename: { from: 'math/math.go', to: 'arithmetic/math.go' },
  cleanInFileScope: 'high',
};

const c: LanguageCase = {
  language: 'c',
  binary: 'clangd',
  files: {
    'compile_flags.txt': '-Wall\n-I.\n',
    'math.h': '#pragma once\nint add(int a, int b);\n#define ZERO 0\n',
    'app.c':
      '#include "math.h"\n\nint sum(void) { return add(1, ZERO); }\n\nint old(void) { return missing_thing; }\n',
    'lone.c': 'int lone = 1;\n',
  },
  breaking: { path: 'lone.c', replace: 'lone = 1', with: 'lone = undeclared_thing' },
  mend: { path: 'app.c', replace: 'missing_thing', with: '7' },
  move: { path: 'app.c', replace: 'int sum', with: '// a line\n// and another\nint sum' },
  removeExport: { path: 'math.h', replace: '#define ZERO 0\n', with: '' },
  changeSignature: { path: 'math.h', replace: 'int a, int b', with: 'int a' },
  dependent: 'app.c',
  create: {
    path: 'fresh.h',
    right: '#pragma once\n#define FRESH 1\n',
    wrong: '#pragma once\n#define STALE 1\n',
    use: { path: 'lone.c', replace: 'int lone = 1', with: '#include "fresh.h"\nint lone = FRESH' },
  },
  remove: 'math.h',
  rename: { from: 'math.h', to: 'arithmetic.h' },
  cleanInFileScope: 'high',
};

const cpp: LanguageCase = {
  ...c,
  language: 'cpp',
  files: {
    'compile_flags.txt': '-std=c++17\n-Wall\n-I.\n',
    'math.hpp': '#pragma once\nint add(int a, int b);\nconstexpr int zero = 0;\n',
    'app.cpp':
      '#include "math.hpp"\n\nint sum() { return add(1, zero); }\n\nint old() { return missing_thing; }\n',
    'lone.cpp': 'int lone = 1;\n',
  },
  breaking: { path: 'lone.cpp', replace: 'lone = 1', with: 'lone = "one"' },
  mend: { path: 'app.cpp', replace: 'missing_thing', with: '7' },
  move: { path: 'app.cpp', replace: 'int sum', with: '// a line\n// and another\nint sum' },
  removeExport: { path: 'math.hpp', replace: 'constexpr int zero = 0;\n', with: '' },
  changeSignature: { path: 'math.hpp', replace: 'int a, int b', with: 'int a' },
  dependent: 'app.cpp',
  create: {
    path: 'fresh.hpp',
    right: '#pragma once\nconstexpr int fresh = 1;\n',
    wrong: '#pragma once\nconstexpr const char* fresh = "1";\n',
    use: { path: 'lone.cpp', replace: 'int lone = 1', with: '#include "fresh.hpp"\nint lone = fresh' },
  },
  remove: 'math.hpp',
  rename: { from: 'math.hpp', to: 'arithmetic.hpp' },
};

const rust: LanguageCase = {
  language: 'rust',
  binary: 'rust-analyzer',
  files: {
    'Cargo.toml':
      '[package]\nname = "kit"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\npath = "src/lib.rs"\n',
    'src/lib.rs': 'pub mod math;\npub mod app;\npub mod lone;\n',
    'src/math.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub const ZERO: i32 = 0;\n',
    'src/app.rs':
      'use crate::math::{add, ZERO};\n\npub fn sum() -> i32 {\n    add(1, ZERO)\n}\n\npub fn old() -> i32 {\n    "7"\n}\n',
    'src/lone.rs': 'pub fn lone() -> i32 {\n    1\n}\n',
  },
  breaking: { path: 'src/lone.rs', replace: '    1\n', with: '    "one"\n' },
  mend: { path: 'src/app.rs', replace: '"7"', with: '7' },
  move: { path: 'src/app.rs', replace: 'pub fn sum', with: '// a line\n// and another\npub fn sum' },
  removeExport: { path: 'src/math.rs', replace: 'pub const ZERO', with: 'pub const NOUGHT' },
  changeSignature: { path: 'src/math.rs', replace: 'b: i32', with: 'b: i32, _c: i32' },
  dependent: 'src/app.rs',
  create: {
    path: 'src/lone/fresh.rs',
    right: 'pub fn fresh() -> i32 {\n    1\n}\n',
    wrong: 'pub fn fresh() -> bool {\n    true\n}\n',
    use: {
      path: 'src/lone.rs',
      replace: 'pub fn lone() -> i32 {\n    1',
      with: 'pub mod fresh;\npub fn lone() -> i32 {\n    fresh::fresh()',
    },
  },
  remove: 'src/math.rs',
  declaredIn: 'src/lib.rs',
  rename: { from: 'src/math.rs', to: 'src/arithmetic.rs' },
  cleanInFileScope: 'low',
};

export const languageCases: readonly LanguageCase[] = [typescript, python, go, c, cpp, rust];
