/**
 * What a random walk goes through, in each language: the workspace of the language's case, dependents of dependents, files that
 * nothing imports, and a configuration that can change too.
 */

import { type LanguageCase, languageCases } from '../language-case.ts';
import { isOnPath } from '../on-path.ts';
import type { WorkspaceFiles } from '../truth/workspace-files.ts';
import { type Toggle, togglesOf } from './toggle.ts';

export interface WalkWorkspace {
  readonly language: string;
  readonly files: WorkspaceFiles;
  readonly toggles: readonly Toggle[];
  /** How many edits a walk has in every run: fewer where a fresh process takes seconds to start. */
  readonly steps: number;
  /** Whether the language's server is on this machine. */
  readonly isPresent: boolean;
}

interface Addition {
  readonly steps: number;
  readonly files: WorkspaceFiles;
  readonly toggles: readonly Toggle[];
}

const additions = {
  typescript: {
    steps: 8,
    files: {
      'src/top.ts': "import { old, sum } from './app';\n\nexport const top: number = sum + old.length;\n",
      'src/global.d.ts': 'declare const ambient: number;\n',
      'src/user.ts': 'export const used: number = ambient;\n',
      'src/barrel.ts': "export * from './math';\nexport * from './top';\n",
    },
    toggles: [
      { kind: 'text', path: 'tsconfig.json', replace: '"strict":true', with: '"strict":false' },
      {
        kind: 'text',
        path: 'tsconfig.json',
        replace: '"noEmit":true',
        with: '"noEmit":true,"noUnusedLocals":true',
      },
      { kind: 'text', path: 'src/global.d.ts', replace: ': number', with: ': string' },
      { kind: 'text', path: 'src/top.ts', replace: 'old.length', with: 'old.size' },
      {
        kind: 'text',
        path: 'src/user.ts',
        replace: 'export',
        with: "import { top } from './barrel';\nexport",
      },
      { kind: 'text', path: 'src/math.ts', replace: 'return a + b', with: 'return a + b + (' },
      { kind: 'file', path: 'src/global.d.ts', texts: ['declare const ambient: number;\n'] },
      { kind: 'file', path: 'src/math/index.ts', texts: ["export const zero = 'shadowed';\n"] },
      {
        kind: 'file',
        path: 'src/deep/er/lone.ts',
        texts: ["import { lone } from '../../lone';\nexport const n: number = lone;\n"],
      },
      { kind: 'name', from: 'src/top.ts', to: 'src/deep/top.ts' },
    ],
  },
  python: {
    steps: 3,
    files: {
      'kit/top.py': 'from kit.app import old, total\n\ntop: int = total + len(old)\n',
      'kit/star.py': 'from kit.math import *\n\ndouble: int = zero * 2\n',
      'spare/part.py': 'part: int = 1\n',
    },
    toggles: [
      { kind: 'text', path: 'pyrightconfig.json', replace: '"standard"', with: '"strict"' },
      { kind: 'text', path: 'kit/top.py', replace: 'len(old)', with: 'old' },
      { kind: 'text', path: 'kit/star.py', replace: 'zero * 2', with: 'add(zero, 2)' },
      { kind: 'text', path: 'kit/math.py', replace: 'return a + b', with: 'return (a + b' },
      {
        kind: 'text',
        path: 'spare/part.py',
        replace: 'part: int = 1',
        with: 'from kit.star import double\npart: str = double',
      },
      { kind: 'file', path: 'kit/math.pyi', texts: ['def add(a: str, b: int) -> int: ...\nzero: int\n'] },
      { kind: 'file', path: 'kit/__init__.py', texts: [''] },
      { kind: 'name', from: 'kit/top.py', to: 'spare/top.py' },
    ],
  },
  go: {
    steps: 4,
    files: {
      'top/top.go': 'package top\n\nimport "example.test/kit/app"\n\nvar Top int = app.Sum + len(app.Old)\n',
      'math/math_test.go':
        'package math\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, Zero) != 1 {\n\t\tt.Fatal()\n\t}\n}\n',
      'math/more.go': 'package math\n\nfunc twice(a int) int {\n\treturn Add(a, a)\n}\n',
    },
    toggles: [
      { kind: 'text', path: 'go.mod', replace: 'go 1.21', with: 'go 1.17' },
      { kind: 'text', path: 'top/top.go', replace: 'len(app.Old)', with: 'app.Old' },
      { kind: 'text', path: 'math/math.go', replace: 'return a + b', with: 'return a + (b' },
      { kind: 'text', path: 'math/more.go', replace: 'twice(a int) int', with: 'twice(a int) string' },
      {
        kind: 'text',
        path: 'lone/lone.go',
        replace: 'package lone\n',
        with: 'package lone\n\nimport "example.test/kit/top"\n\nvar _ = top.Top\n',
      },
      {
        kind: 'file',
        path: 'math/extra.go',
        texts: ['package math\n\nconst Extra = Zero\n', 'package math\n\nconst Zero = 1\n'],
      },
      { kind: 'name', from: 'math/more.go', to: 'math/more_test.go' },
    ],
  },
  cpp: {
    steps: 5,
    files: {
      'top.cpp': '#include "math.hpp"\n\nint top() { return add(zero, 2); }\n',
      'deep.hpp': '#pragma once\n#include "math.hpp"\n\ninline int deep(int a) { return add(a, zero); }\n',
      'user.cpp': '#include "deep.hpp"\n\nint use() { return deep(1); }\n',
    },
    toggles: [
      { kind: 'text', path: 'compile_flags.txt', replace: '-std=c++17', with: '-std=c++98' },
      { kind: 'text', path: 'deep.hpp', replace: 'int deep(int a)', with: 'int deep(int a, int)' },
      { kind: 'text', path: 'math.hpp', replace: 'int zero = 0;', with: 'int zero = 0' },
      { kind: 'text', path: 'user.cpp', replace: 'deep(1)', with: 'deep("1")' },
      { kind: 'file', path: 'deep.hpp', texts: ['#pragma once\nint deep(int a);\n', '#pragma once\n'] },
      { kind: 'name', from: 'top.cpp', to: 'bottom.cpp' },
    ],
  },
  rust: {
    steps: 2,
    files: {
      'src/top.rs': 'use crate::app::sum;\n\npub fn top() -> i32 {\n    sum() + 1\n}\n',
      'src/lib.rs': 'pub mod math;\npub mod app;\npub mod lone;\npub mod top;\n',
    },
    toggles: [
      { kind: 'text', path: 'Cargo.toml', replace: 'edition = "2021"', with: 'edition = "2018"' },
      { kind: 'text', path: 'src/lib.rs', replace: 'pub mod top;\n', with: '' },
      { kind: 'text', path: 'src/top.rs', replace: 'sum() + 1', with: 'sum() + "1"' },
      { kind: 'text', path: 'src/math.rs', replace: 'a + b', with: 'a + (b' },
      { kind: 'text', path: 'src/math.rs', replace: 'pub fn add', with: 'fn add' },
      { kind: 'name', from: 'src/top.rs', to: 'src/top/mod.rs' },
    ],
  },
} as const satisfies Readonly<Record<string, Addition>>;

export function walkWorkspace(language: keyof typeof additions): WalkWorkspace {
  const base = languageCases.find((each) => each.language === language);
  if (base === undefined) throw new Error(`no case for ${language}`);
  const { files, toggles, steps } = additions[language];
  return {
    language,
    files: { ...base.files, ...files },
    toggles: [...togglesOf(base), ...toggles],
    steps,
    isPresent: isPresent(base),
  };
}

function isPresent({ binary }: LanguageCase): boolean {
  return binary === undefined || isOnPath(binary);
}
