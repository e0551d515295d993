import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { stateOf } from '../../src/agent/conversation-record.ts';
import { recoverCommits } from '../../src/overlay/commit/commit.ts';
import { readEntries } from '../../src/storage/transcript.ts';
import { mapConcurrently } from '../../src/workspace/concurrency.ts';
import { crashInputs } from '../children/speculation-crash-child.ts';
import { childProgram } from '../support/child-program.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { type ScriptedAnswer, ScriptedProvider } from '../support/scripted-provider.ts';
import { describeTree } from '../support/tree-hash.ts';

const child = childProgram('speculation-crash-child');

const files = { 'src/app.ts': 'export const port = 80;\n', 'README.md': 'Port 80.\n' };

const rounds: readonly ScriptedAnswer[] = [
  [{ call: 'Read', arguments: { file_path: 'src/app.ts' } }],
  [
    { call: 'Edit', arguments: { file_path: 'src/app.ts', old_string: '80', new_string: '8080' } },
    { call: 'Write', arguments: { file_path: 'docs/port.md', content: 'Port 8080.\n' } },
  ],
  [{ text: 'The port is 8080 now.' }],
];

test('killed at any step of an acceptance, files and messages are both as before or both as after', {
  timeout: 400_000,
}, async () => {
  await using provider = await ScriptedProvider.open();
  provider.script(({ json }) => {
    const messages = Array.isArray(json.messages) ? json.messages : [];
    const texts = messages.map((message) => JSON.stringify(message));
    if (texts.at(-1)?.includes('<next-input>')) return [{ text: crashInputs.suggested }];
    const at = texts.findLastIndex((text) => text.includes(`${crashInputs.suggested}"`));
    if (at < 0) return [{ text: 'It is 80.' }];
    return rounds[texts.slice(at + 1).filter((text) => text.includes('"assistant"')).length] ?? [];
  });
  const whole = await lived(provider.url, 0);
  const { entry, steps } = JSON.parse(whole.stdout);
  expect(entry).toBe('answered');
  expect(whole.messages).toBe(2 + 6);

  const killed = Array.from({ length: steps }, (_, index) => index + 1);
  const outcomes = await mapConcurrently(killed, 2, async (step) => {
    const { signal, tree, messages } = await lived(provider.url, step);
    expect(signal, `step ${step}`).toBe('SIGKILL');
    const isAfter = tree.join('\n') === whole.tree.join('\n');
    if (!isAfter) expect(tree, `step ${step}`).toEqual(whole.before);
    expect(messages, `step ${step}`).toBe(isAfter ? whole.messages : 2);
    return isAfter ? 'after' : 'before';
  });
  expect(new Set(outcomes)).toEqual(new Set(['before', 'after']));
  // Once past the moment it counts, never back.
  expect(outcomes).toEqual([...outcomes].sort((a, b) => b.localeCompare(a)));
});

interface Life {
  readonly stdout: string;
  readonly signal: string | null;
  readonly before: readonly string[];
  readonly tree: readonly string[];
  /** How many a conversation resumed from the record has. */
  readonly messages: number;
}

async function lived(url: string, fatal: number): Promise<Life> {
  await using scratch = await ScratchWorkspace.create(files);
  await using state = await ScratchWorkspace.create();
  const { root } = scratch.workspace;
  const before = await describeTree(root);
  const transcript = state.at('crash.jsonl');
  const ran = await run([root, url, transcript, String(fatal)]);
  await recoverCommits(scratch.workspace, { stateDirectory: state.workspace.root });
  const { messages } = stateOf(await readEntries(transcript));
  return { ...ran, before, tree: await describeTree(root), messages: messages.length };
}

function run(words: readonly string[]): Promise<{ readonly stdout: string; readonly signal: string | null }> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [child, ...words], (error, stdout, stderr) => {
      if (error !== null && typeof error.signal !== 'string') reject(new Error(stderr, { cause: error }));
      else resolve({ stdout, signal: error?.signal ?? null });
    });
  });
}
