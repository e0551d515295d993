import fc from 'fast-check';
import { expect, test } from 'vitest';
import { workspacePath } from '../../../test/support/memory-source.ts';
import type { TextContent } from '../../agent/files/editable-file.ts';
import { accepting, type HunkDecision, ProposedFile } from './proposed-file.ts';

const path = workspacePath('a.ts');
const before = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const after = 'one\nTWO\nthree\nfour\nFIVE\nfive and a half\nsix\n';

test('each hunk is accepted alone, in any order', () => {
  const file = proposal(before, after);
  const [first, second] = file.hunks;
  expect(file.hunks.map((hunk) => [file.replaced(hunk), hunk.text])).toEqual([
    ['two\n', 'TWO\n'],
    ['five\n', 'FIVE\nfive and a half\n'],
  ]);
  const alone = carried(file, before, accepting([second?.id ?? '']));
  expect(alone).toBe('one\ntwo\nthree\nfour\nFIVE\nfive and a half\nsix\n');
  const decided = file.decided(accepting([second?.id ?? '']));
  expect(carried(decided, alone, accepting([first?.id ?? '']))).toBe(after);
});

test('typing elsewhere stays when a hunk is accepted, and when it is taken back', () => {
  const file = proposal(before, after);
  const [first] = file.hunks;
  const typed = `zero\n${before.replace('four', 'four!')}`;
  const landed = carried(file, typed, accepting([first?.id ?? '']));
  expect(landed).toBe('zero\none\nTWO\nthree\nfour!\nfive\nsix\n');
  const decided = file.decided(accepting([first?.id ?? '']));
  const back = new Map<string, HunkDecision>([[first?.id ?? '', { kind: 'open' }]]);
  expect(carried(decided, landed, back)).toBe(typed);
});

test('a hunk whose lines the user changed is a conflict, and the agent does not see it', () => {
  const file = proposal(before, after);
  const [first] = file.hunks;
  const typed = before.replace('two', 'too');
  expect(carried(file, typed, accepting([first?.id ?? '']))).toBe('conflict');
  expect(file.seenByAgent(text(typed))?.text).toBe('one\ntoo\nthree\nfour\nFIVE\nfive and a half\nsix\n');
});

test('an edited hunk lands as the user wrote it', () => {
  const file = proposal(before, after);
  const [first] = file.hunks;
  const edited = new Map<string, HunkDecision>([[first?.id ?? '', { kind: 'edited', text: 'Two\n2\n' }]]);
  expect(carried(file, before, edited)).toBe('one\nTwo\n2\nthree\nfour\nfive\nsix\n');
});

test('a created file exists once it is accepted, a deleted one until it is', () => {
  const created = ProposedFile.between(path, undefined, text('new\n'));
  const deleted = ProposedFile.between(path, text('old\n'), undefined);
  const ids = (file: ProposedFile | undefined) => accepting(file?.hunks.map(({ id }) => id) ?? []);
  expect(created?.seenByAgent(undefined)).toMatchObject({ text: 'new\n' });
  expect(created?.carriedOut(undefined, ids(created))).toMatchObject({ content: { text: 'new\n' } });
  expect(created?.carriedOut(text('mine\n'), ids(created))).toBe('conflict');
  expect(deleted?.carriedOut(text('old\n'), ids(deleted))).toEqual({ content: undefined });
  expect(deleted?.carriedOut(text('old but typed\n'), ids(deleted))).toBe('conflict');
});

test('whatever the texts, accepting everything gives the proposed text, and taking all back the first one', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { maxLength: 12 });
  const texts = lines.map((each) => each.join('\n'));
  fc.assert(
    fc.property(texts, texts, fc.infiniteStream(fc.nat()), (from, to, order) => {
      const whole = ProposedFile.between(path, text(from), text(to));
      if (!whole) return;
      let file = whole;
      let current = from;
      const left = file.hunks.map(({ id }) => id);
      while (left.length > 0) {
        const [id = ''] = left.splice(Number(order.next().value) % left.length, 1);
        const landed = carried(file, current, accepting([id]));
        file = file.decided(accepting([id]));
        current = landed;
      }
      expect(current).toBe(to);
      const open = new Map(file.hunks.map(({ id }) => [id, { kind: 'open' } as const]));
      expect(carried(file, current, open)).toBe(from);
    }),
  );
});

function proposal(one: string, other: string): ProposedFile {
  const file = ProposedFile.between(path, text(one), text(other));
  if (!file) throw new Error('the texts are the same');
  return file;
}

function carried(file: ProposedFile, current: string, decisions: ReadonlyMap<string, HunkDecision>): string {
  const outcome = file.carriedOut(text(current), decisions);
  return outcome === 'conflict' ? outcome : (outcome.content?.text ?? 'no file');
}

function text(content: string): TextContent {
  return { kind: 'text', text: content };
}
