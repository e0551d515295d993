/**
 * A small workspace that the benign commands find something in.
 *
 * Invariant: holds names that patterns treat specially: hidden ones, one with a blank, one outside ASCII.
 */
export const lookedAtFiles: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "looked-at", "version": "1.2.3", "scripts": { "test": "true" } }\n',
  'README.md': '# Looked at\n\nInstall it, then read the readme to the end\none two\nnaïve\n',
  'CHANGELOG.md': '# Changes\n\n- first\n- second\n',
  'config.txt': '# paths\nroot=/usr\n',
  'data.json': '{ "items": [{ "n": 1, "name": "a" }, { "n": 2, "name": "b" }] }\n',
  'data.csv': 'name,size\na,10\nb,20\na,30\n',
  'a.txt': '1 a\n2 b\n',
  'b.txt': '1 c\n2 b\n',
  'a file.txt': 'with a blank\n',
  "it's.txt": 'with a quote\n',
  'äpfel.txt': 'with an umlaut\n',
  '.hidden/note.md': 'hidden\n',
  'docs/guide.md': '# Guide\n',
  'src/index.ts': "import { a } from './a.ts';\n\nexport function main() {\n  return a;\n}\n// TODO: more\n",
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': 'export const b = 1;\n',
  'src/.secret.ts': 'export const hidden = 1;\n',
  'src/lib/deep.ts': 'export const deep = 1;\n',
  'src/lib/plain.js': 'module.exports = 1;\n',
};
