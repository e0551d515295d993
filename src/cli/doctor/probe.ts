/**
 * A small workspace per language, with an edit that every checker of the language must reject.
 *
 * Invariant: the workspace is clean before the edit, so an error afterwards is caused by it.
 */
export interface Probe {
  readonly file: string;
  readonly clean: string;
  readonly broken: string;
  /** Further files that servers need to accept the workspace. */
  readonly support?: Readonly<Record<string, string>>;
}

export const probes: ReadonlyMap<string, Probe> = new Map(
  Object.entries<Probe>({
    typescript: {
      file: 'probe.ts',
      clean: 'export const answer: number = 42;\n',
      broken: 'export const answer: number = "forty-two";\n',
      support: {
        'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["*.ts"] }\n',
      },
    },
    javascript: {
      file: 'probe.js',
      clean: 'export const answer = 42;\n',
      broken: 'export const answer = ;\n',
    },
    python: { file: 'probe.py', clean: 'answer: int = 42\n', broken: 'answer: int = "forty-two"\n' },
    go: {
      file: 'probe.go',
      clean: 'package probe\n\nvar Answer int = 42\n',
      broken: 'package probe\n\nvar Answer int = "forty-two"\n',
      support: { 'go.mod': 'module probe\n\ngo 1.20\n' },
    },
    rust: {
      file: 'src/lib.rs',
      clean: 'pub const ANSWER: i32 = 42;\n',
      broken: 'pub const ANSWER: i32 = 42\n',
      support: { 'Cargo.toml': '[package]\nname = "probe"\nversion = "0.1.0"\nedition = "2021"\n' },
    },
    c: { file: 'probe.c', clean: 'int answer = 42;\n', broken: 'int answer = forty_two;\n' },
    cpp: { file: 'probe.cpp', clean: 'int answer = 42;\n', broken: 'int answer = forty_two;\n' },
    json: { file: 'probe.json', clean: '{ "answer": 42 }\n', broken: '{ "answer": }\n' },
    css: { file: 'probe.css', clean: 'p { color: red; }\n', broken: 'p { color: ; ]\n' },
    php: { file: 'probe.php', clean: '<?php\n$answer = 42;\n', broken: '<?php\n$answer = ;\n' },
    lua: {
      file: 'probe.lua',
      clean: 'local answer = 42\nreturn answer\n',
      broken: 'local answer =\nreturn\n',
    },
    yaml: { file: 'probe.yaml', clean: 'answer: 42\n', broken: 'answer: [42\n' },
  }),
);
