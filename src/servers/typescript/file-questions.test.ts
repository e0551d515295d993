import { describe, expect, test } from 'vitest';
import type { ApiDiagnostic, ApiProject, FileQuestion } from './api-session.ts';
import { AnswersAhead, askInOrder, type HeldFile } from './file-questions.ts';

test('declarations are asked about when everything else has been answered', async () => {
  const events: string[] = [];
  const ask = async (question: FileQuestion) => {
    events.push(`ask ${question}`);
    await new Promise((done) => setImmediate(done));
    events.push(`answer ${question}`);
    return [];
  };
  await askInOrder(['getSyntacticDiagnostics', 'getDeclarationDiagnostics', 'getSemanticDiagnostics'], ask);
  expect(events.slice(0, 2).every((event) => event.startsWith('ask'))).toBe(true);
  expect(events.slice(4)).toEqual(['ask getDeclarationDiagnostics', 'answer getDeclarationDiagnostics']);
});

const project = (snapshot: number): ApiProject => ({
  id: 'tsconfig.json',
  snapshot,
  configFileName: '/tsconfig.json',
  compilerOptions: {},
});

/** Answers with the snapshot that was asked; the questions that `fails` names reject. */
function sessionOf(fails: (asked: number) => boolean) {
  let asked = 0;
  const askFile = async (_: FileQuestion, { snapshot }: ApiProject): Promise<readonly ApiDiagnostic[]> => {
    asked += 1;
    if (fails(asked)) throw new Error('the caller gave up');
    return [{ pos: snapshot, end: 0, code: 1, category: 1, text: '' }];
  };
  return { session: { askFile }, count: () => asked };
}

describe('an answer that was asked for ahead', () => {
  const never = new AbortController().signal;
  const asked = (...holders: ApiProject[]): HeldFile => ({ holders, file: '/a.ts', hints: 'wanted' });

  const askedAhead = (fails: (asked: number) => boolean, held: HeldFile) => {
    const { session, count } = sessionOf(fails);
    const answers = new AnswersAhead();
    const ended = answers.ask(session, held, never);
    const take = async (wanted: HeldFile) =>
      (await answers.take(session, wanted, never)).map(({ pos }) => pos);
    return { take, count, ended };
  };

  test('is what a caller gets, without another question', async () => {
    const held = asked(project(1), project(2));
    const { take, count } = askedAhead(() => false, held);
    const before = count();
    expect(await take(held)).toEqual([1, 1, 1, 2, 2]);
    expect(count()).toBe(before);
  });

  test('is not used for another snapshot', async () => {
    const { take } = askedAhead(() => false, asked(project(1)));
    expect(await take(asked(project(2)))).toEqual([2, 2, 2]);
  });

  test('has its errors asked for once, whether hints are wanted or not', async () => {
    const [first, second] = [project(1), project(2)];
    const { take, count } = askedAhead(() => false, asked(first, second));
    const before = count();
    expect(await take({ ...asked(first), hints: 'unwanted' })).toEqual([1, 1]);
    expect(count()).toBe(before);
    expect(await take(asked(second))).toEqual([2, 2, 2]);
    expect(count()).toBe(before + 1);
  });

  test('is asked for again if it failed', async () => {
    const held = asked(project(1));
    const { take, count, ended } = askedAhead((number) => number <= 3, held);
    await ended;
    expect(await take(held)).toEqual([1, 1, 1]);
    expect(count()).toBe(6);
  });
});
