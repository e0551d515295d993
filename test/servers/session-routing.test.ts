/** Every file of a session is judged by the server of its own language, as in a patch. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verdictOf } from '../../src/evaluation/evaluation.ts';
import type { Session } from '../../src/session/session.ts';
import { calm, World } from '../support/world.ts';

const files = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "lib": ["es2023"], "noEmit": true }, "include": ["*.ts"] }\n',
  'app.ts': 'export const count: number = 1;\n',
  'tool.py': 'count: int = 1\n',
  'README.md': '# Title\n',
  'style.css': 'a { color: red }\n',
  Makefile: 'all:\n\ttrue\n',
  LICENSE: 'Free.\n',
};

let world: World;
beforeAll(async () => {
  world = await World.open(files);
});
afterAll(() => world?.[Symbol.asyncDispose]());

async function edited(
  ...changes: readonly (readonly [path: string, old: string, text: string])[]
): Promise<Session> {
  const session = await world.session('typescript');
  for (const [path, replace, text] of changes) await world.replace(session, path, { replace, with: text });
  return session;
}

test('an error in a file of another language is found by its own server', async () => {
  const session = await edited(['tool.py', '= 1', '= "x"'], ['app.ts', '= 1', '= 2']);
  for (const scope of ['file', 'workspace'] as const) {
    const evaluation = await world.evaluate(session, scope);
    expect(verdictOf(evaluation)).toEqual({ kind: 'broken', errors: 1, in: ['tool.py'] });
    expect(evaluation.evaluatedFiles).toEqual(['app.ts', 'tool.py']);
  }
});

test('a correct edit of both is clean', async () => {
  const session = await edited(['tool.py', '= 1', '= 2'], ['app.ts', '= 1', '= 2']);
  expect(verdictOf(await world.evaluate(session, 'workspace'))).toEqual({ kind: 'clean' });
});

test.each([
  ['README.md', '# Title', '# Other'],
  ['LICENSE', 'Free', 'Freer'],
  ['style.css', 'red', 'blue'],
  ['Makefile', 'true', 'false'],
])(
  '%s is not shown to the server of the session, which judges its own files as before',
  async (path, old, text) => {
    const session = await edited([path, old, text], ['app.ts', '= 1', '= "x"']);
    expect(verdictOf(await world.evaluate(session))).toEqual({ kind: 'broken', errors: 1, in: ['app.ts'] });
  },
);

test('a file that no server reads is not clean', async () => {
  const { confidence, doubts } = await world.evaluate(await edited(['Makefile', 'true', 'false']));
  expect(confidence).toBe('partial');
  expect(doubts).toEqual([expect.stringContaining('Makefile')]);
});

test('a session without edits proves nothing', async () => {
  const evaluation = await world.evaluate(await world.session('typescript'), 'workspace');
  expect(evaluation).toMatchObject({ introduced: [], resolved: [], netDelta: 0 });
  expect(verdictOf(evaluation)).toEqual({
    kind: 'unknown',
    why: ['Nothing was changed, so nothing was evaluated.'],
  });
});

test('an edit that is taken back leaves the files as they were, which is clean', async () => {
  const session = await edited(['app.ts', '= 1', '= 2'], ['app.ts', '= 2', '= 1']);
  expect(verdictOf(await session.evaluate({ scope: 'file' }, calm))).toEqual({ kind: 'clean' });
});
