/** What a server does not look at is not called clean by its silence. */
import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verdictOf } from '../../src/evaluation/evaluation.ts';
import type { Checker } from '../../src/servers/server-definition.ts';
import { isOnPath } from '../support/on-path.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { World } from '../support/world.ts';

const files = { 'a.scripted': 'one\ntwo\n' };

async function verdictWith(checker: Checker, env: Readonly<Record<string, string>> = {}) {
  const definition = { ...scriptedDefinition({}), checker };
  await using world = await World.open(files, { definitions: [definition], env });
  const session = await world.session('scripted');
  await world.replace(session, 'a.scripted', { replace: 'two', with: 'three' });
  const fine = verdictOf(await world.evaluate(session));
  await world.replace(session, 'a.scripted', { replace: 'three', with: 'ERROR(no)' });
  return [fine, verdictOf(await world.evaluate(session)).kind] as const;
}

test('a server that finds errors by a program proves nothing where that is not installed', async () => {
  const checker = { kind: 'program', name: 'no-such-checker', installHint: 'apt install it' } as const;
  expect(await verdictWith(checker)).toEqual([
    {
      kind: 'unknown',
      why: ['scripted finds errors by no-such-checker, which is not installed: apt install it.'],
    },
    'broken',
  ]);
});

test('where it is installed, its silence counts', async () => {
  const checker = { kind: 'program', name: 'sh', installHint: '' } as const;
  const PATH = [process.env.PATH, '/bin'].join(delimiter);
  expect(await verdictWith(checker, { PATH })).toEqual([{ kind: 'clean' }, 'broken']);
});

test('a server that is blind to a part of its files proves nothing by its silence', async () => {
  expect(await verdictWith({ kind: 'none', blindTo: 'scripts' })).toEqual([
    { kind: 'unknown', why: ['scripted does not check scripts.'] },
    'broken',
  ]);
});

test('a server that passes over a text it was sent before is asked about it again', async () => {
  const behaviour = { diagnostics: 'push-unversioned', passesOverSameText: true } as const;
  const plain = scriptedDefinition(behaviour, { mode: 'offered', quietMs: 50 });
  const definition = { ...plain, quirks: { ...plain.quirks, passesOverSameText: true } };
  await using world = await World.open(files, { definitions: [definition] });
  const session = await world.session('scripted');
  await world.replace(session, 'a.scripted', { replace: 'two', with: 'ERROR(no)' });
  for (let round = 0; round < 3; round += 1) {
    const evaluation = await world.evaluate(session);
    expect(evaluation).toMatchObject({ netDelta: 1, timedOut: false });
  }
});

const html = 'vscode-html-language-server';
describe.skipIf(!isOnPath(html))(`HTML${isOnPath(html) ? '' : ` (no ${html})`}`, () => {
  test('a script in a page is not clean', async () => {
    await using world = await World.open({ 'page.html': '<script>let a = 1;</script>\n' });
    const session = await world.session('html');
    await world.replace(session, 'page.html', { replace: 'let a = 1', with: 'let a = (' });
    expect(verdictOf(await world.evaluate(session)).kind).toBe('unknown');
  });
});
