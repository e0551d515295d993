/** An edit at a symbol by one of the tools, checked and taken back, so that every test finds the files as they were. */
import { expect } from 'vitest';
import type { ToolWorld } from './tool-world.ts';

export interface SymbolCase {
  readonly title: string;
  readonly on: () => ToolWorld;
  readonly tool: string;
  readonly file: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly contains: string;
  readonly without?: string;
}

export async function checkSymbolCase({
  on,
  tool,
  file,
  args,
  contains,
  without,
}: SymbolCase): Promise<void> {
  const tools = on();
  const before = await tools.world.read(file);
  await undone(tools, async () => {
    const answer = await tools.call(tool, { file_path: tools.at(file), ...args });
    expect(answer.text).toBe(sentences[tool]?.(args.symbol_path, tools.at(file)));
    expect(answer.hint).toMatch(/^errors_after: 0, warnings_after: \d+\. /);
    const after = await tools.world.read(file);
    expect(after).toContain(contains);
    if (without !== undefined) expect(after).not.toContain(without);
    expect(after.endsWith('\n') && !after.endsWith('\n\n')).toBe(true);
  });
  expect(await tools.world.read(file)).toBe(before);
}

/** Runs one edit and takes it back. */
export async function undone(on: ToolWorld, work: () => Promise<void>): Promise<void> {
  await work();
  const answer = await on.call('undo_last_commit', { root_dir: on.world.root });
  expect(answer.text).toMatch(/^Undid the last commit: /);
}

const sentences: Readonly<Record<string, (path: unknown, file: string) => string>> = {
  replace_symbol_body: (path, file) => `Replaced body of "${path}" in ${file}`,
  insert_after_symbol: (path, file) => `Inserted code after "${path}" in ${file}`,
  insert_before_symbol: (path, file) => `Inserted code before "${path}" in ${file}`,
  safe_delete_symbol: (path, file) => `Deleted symbol "${path}" from ${file}`,
};
