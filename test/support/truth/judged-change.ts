/** One change of a TypeScript workspace, as Forerun judges it and as the compiler does once it is on the disk. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import type { Verdict } from '../../../src/evaluation/evaluation.ts';
import { LocalEvaluator } from '../../../src/evaluation/local-evaluator.ts';
import { calm, type World } from '../world.ts';
import { checkedFiles } from './checked-workspace.ts';

/** New texts by path. */
export type DiskChange = Readonly<Record<string, string | 'removed'>>;

/** The verdict in workspace scope. */
export async function judgeChange({ workspace, live }: World, change: DiskChange): Promise<Verdict> {
  const overlay = Object.entries(change).reduce((made, [name, text]) => {
    const path = workspace.path(name);
    return text === 'removed' ? made.remove(path) : made.writeText(path, text);
  }, live.emptyOverlay());
  const asked = { workspace, overlay, scope: 'workspace', timeoutMs: 120_000, caller: 'test' } as const;
  const outcome = await new LocalEvaluator(live, silentLog).evaluate(asked, calm);
  if (outcome.kind !== 'evaluated') throw new Error(outcome.kind);
  const changed = Object.keys(change).sort();
  if (outcome.changed.join() !== changed.join()) throw new Error(`judged ${outcome.changed.join(', ')}`);
  return outcome.verdict;
}

/** The files in which a compiler that is started anew finds errors after the change, which is then undone. */
export async function filesWithErrors(
  { root, live, workspace }: World,
  change: DiskChange,
): Promise<readonly string[]> {
  const before = new Map<string, string | undefined>();
  for (const [name, text] of Object.entries(change)) {
    const at = join(root, name);
    before.set(at, await live.disk.text(workspace.path(name)));
    await put(at, text);
  }
  try {
    const found = await checkedFiles(root);
    return [...found].flatMap(([path, problems]) => (problems === '' ? [] : [path])).sort();
  } finally {
    for (const [at, text] of before) await put(at, text ?? 'removed');
  }
}

async function put(at: string, text: string | 'removed'): Promise<void> {
  if (text === 'removed') return rm(at);
  await mkdir(dirname(at), { recursive: true });
  await writeFile(at, text);
}
