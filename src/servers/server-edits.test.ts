import { expect, test } from 'vitest';
import { ServerEdits } from './server-edits.ts';

test('an edit nobody waits for is refused', async () => {
  const edits = new ServerEdits();
  expect(await edits.apply({})).toMatchObject({ applied: false, failureReason: expect.any(String) });
  await edits.during(
    async () => {},
    async () => {},
  );
  expect(await edits.apply({})).toMatchObject({ applied: false });
});

test('while a command runs its edits are carried out, and a failure is told to the server', async () => {
  const edits = new ServerEdits();
  const accepted: unknown[] = [];
  const accept = async (edit: unknown): Promise<void> => {
    if (edit === 'bad') throw new Error('cannot');
    accepted.push(edit);
  };
  const answers = await edits.during(accept, async () => [
    await edits.apply('good'),
    await edits.apply('bad'),
  ]);
  expect(answers).toEqual([{ applied: true }, { applied: false, failureReason: 'cannot' }]);
  expect(accepted).toEqual(['good']);
});
