/**
 * Programs that a hostile repository brings along. Each leaves a mark outside the workspace when it runs, then goes on as
 * the program it stands for, so that a trusted workspace works with it.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface PlantedProgram {
  readonly path: string;
  /** Where its mark is left: a directory outside the workspace. */
  readonly marks: string;
  /** The mark's name, which says where the program was planted. */
  readonly name: string;
  /** The program it stands for; without one it ends with success. */
  readonly real?: readonly string[];
}

export async function plantProgram({ path, marks, name, real }: PlantedProgram): Promise<void> {
  const rest = real === undefined ? 'exit 0' : `exec ${real.map(quoted).join(' ')} "$@"`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${markInShell(marks, name)}\n${rest}\n`);
  await chmod(path, 0o755);
}

/** `$*` shows in a failing test how it was called. The mark cannot be left where the program is confined. */
export function markInShell(marks: string, name: string): string {
  return `echo "$*" >>${quoted(`${marks}/${fileName(name)}`)} 2>/dev/null`;
}

export function markInJavaScript(marks: string, name: string): string {
  const path = JSON.stringify(`${marks}/${fileName(name)}`);
  return `try { require('node:fs').appendFileSync(${path}, 'ran\\n'); } catch {}\n`;
}

export function markInPython(marks: string, name: string): string {
  const path = JSON.stringify(`${marks}/${fileName(name)}`);
  return `try:\n    with open(${path}, "a") as mark: mark.write("ran\\n")\nexcept OSError:\n    pass\n`;
}

export function markInRust(marks: string, name: string): string {
  return `let _ = std::fs::write(${JSON.stringify(`${marks}/${fileName(name)}`)}, "ran\\n");`;
}

export function fileName(name: string): string {
  return name.replaceAll('/', '|');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
