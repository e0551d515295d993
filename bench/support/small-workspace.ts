/** Workspaces of a few files, alike in every language. */
import { type BenchWorkspace, ScratchFiles } from './bench-workspace.ts';
import type { SampleEdit } from './sample-edit.ts';

export type SmallLanguage = 'typescript' | 'python' | 'go' | 'rust' | 'cpp';

export async function writeSmallWorkspace(language: SmallLanguage): Promise<BenchWorkspace> {
  const { files, breaking } = small[language];
  const scratch = await ScratchFiles.write(language, new Map(Object.entries(files)));
  const text = files[breaking.path];
  if (text === undefined) throw new Error(`${breaking.path} is not among the files`);
  return {
    root: scratch.root,
    language,
    breaking: { ...breaking, text },
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

interface SmallWorkspace {
  readonly files: Readonly<Record<string, string>>;
  readonly breaking: Omit<SampleEdit, 'text'>;
}

const small: Readonly<Record<SmallLanguage, SmallWorkspace>> = {
  typescript: {
    files: {
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["*.ts"] }\n',
      'shape.ts': [
        'export interface Shape {',
        '  readonly width: number;',
        '  readonly height: number;',
        '}',
        '',
        'export const area = (shape: Shape): number => shape.width * shape.height;',
        '',
      ].join('\n'),
      'main.ts': [
        "import { area } from './shape';",
        '',
        'const limit: number = 1000;',
        'export const sum: number = limit + area({ width: 2, height: 3 });',
        '',
      ].join('\n'),
    },
    breaking: { path: 'main.ts', replaces: '= 1000;', replacement: (round) => `= "round ${round}";` },
  },
  python: {
    files: {
      'pyrightconfig.json': '{}\n',
      'shape.py': [
        'class Shape:',
        '    def __init__(self, width: int, height: int) -> None:',
        '        self.width = width',
        '        self.height = height',
        '',
        '    def area(self) -> int:',
        '        return self.width * self.height',
        '',
      ].join('\n'),
      'main.py': [
        'from shape import Shape',
        '',
        'limit: int = 1000',
        'total = limit + Shape(2, 3).area()',
        '',
      ].join('\n'),
    },
    breaking: { path: 'main.py', replaces: '= 1000', replacement: (round) => `= "round ${round}"` },
  },
  go: {
    files: {
      'go.mod': 'module example.com/small\n\ngo 1.21\n',
      'shape/shape.go': [
        'package shape',
        '',
        'type Shape struct{ Width, Height int }',
        '',
        'func (s Shape) Area() int { return s.Width * s.Height }',
        '',
      ].join('\n'),
      'main.go': [
        'package main',
        '',
        'import "example.com/small/shape"',
        '',
        'func main() {',
        '\tvar limit int = 1000',
        '\tprintln(limit + shape.Shape{Width: 2, Height: 3}.Area())',
        '}',
        '',
      ].join('\n'),
    },
    breaking: { path: 'main.go', replaces: '= 1000', replacement: (round) => `= "round ${round}"` },
  },
  rust: {
    files: {
      'Cargo.toml': '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "small"\nversion = "0.1.0"\n',
      'src/shape.rs': [
        'pub struct Shape {',
        '    pub width: u32,',
        '    pub height: u32,',
        '}',
        '',
        'impl Shape {',
        '    pub fn area(&self) -> u32 {',
        '        self.width * self.height',
        '    }',
        '}',
        '',
      ].join('\n'),
      'src/main.rs': [
        'mod shape;',
        '',
        'fn main() {',
        '    let limit: u32 = 1000;',
        '    let shape = shape::Shape { width: 2, height: 3 };',
        '    let _sum = limit + shape.area();',
        '}',
        '',
      ].join('\n'),
    },
    breaking: { path: 'src/main.rs', replaces: '= 1000;', replacement: (round) => `= "round ${round}";` },
  },
  cpp: {
    files: {
      'compile_flags.txt': '-std=c++17\n-Wall\n',
      'shape.h': [
        '#pragma once',
        '',
        'struct Shape {',
        '  int width;',
        '  int height;',
        '  int area() const { return width * height; }',
        '};',
        '',
      ].join('\n'),
      'main.cpp': [
        '#include "shape.h"',
        '#include <map>',
        '#include <string>',
        '#include <vector>',
        '',
        'int main() {',
        '  int limit = 1000;',
        '  std::map<std::string, std::vector<Shape>> shapes;',
        '  shapes["one"].push_back(Shape{2, 3});',
        '  return limit + shapes["one"].front().area();',
        '}',
        '',
      ].join('\n'),
    },
    breaking: { path: 'main.cpp', replaces: '= 1000;', replacement: (round) => `= "round ${round}";` },
  },
};
