import { expect, test } from 'vitest';
import { MemoryEditor } from '../../../test/support/memory-editor.ts';
import { MemorySource, workspacePath } from '../../../test/support/memory-source.ts';
import { calm } from '../../../test/support/world.ts';
import { editText, readText } from '../../overlay/overlay.ts';
import type { HunkDecision } from './proposed-file.ts';
import { type EditChoice, ProposedFiles } from './proposed-files.ts';
import { reviewNote } from './review-note.ts';

const path = workspacePath('a.ts');
const before = 'one\ntwo\nthree\nfour\nfive\n';

test('an edit of the agent is in no buffer until it is accepted, and the agent sees it', async () => {
  const { editor, files } = world();
  await edit(files, 'two', 'TWO');
  expect(await editor.read(path)).toBe(before);
  expect(await seen(files)).toBe('one\nTWO\nthree\nfour\nfive\n');
  await files.decide(all(files, { kind: 'accepted' }), calm);
  expect(await editor.read(path)).toBe('one\nTWO\nthree\nfour\nfive\n');
});

test('several edits of one turn are compared with the text before the first of them', async () => {
  const { files } = world();
  await edit(files, 'two', 'TWO');
  await edit(files, 'TWO', 'Two');
  const [file] = files.files;
  expect(file?.hunks.map((hunk) => [file.replaced(hunk), hunk.text])).toEqual([['two\n', 'Two\n']]);
  await edit(files, 'Two', 'two');
  expect(files.files).toEqual([]);
});

test('what was rejected is not in the file, the agent no longer sees it and is told', async () => {
  const { editor, files } = world();
  await edit(files, 'two', 'TWO');
  await edit(files, 'five', 'FIVE');
  const [first, second] = ids(files);
  await files.decide(new Map([[first, { kind: 'rejected' }]]), calm);
  await files.decide(new Map([[second, { kind: 'edited', text: 'V\n' }]]), calm);
  expect(await editor.read(path)).toBe('one\ntwo\nthree\nfour\nV\n');
  expect(await seen(files)).toBe('one\ntwo\nthree\nfour\nV\n');
  const settled = files.takeSettled();
  expect(reviewNote(settled, files.openHunks)).toMatchInlineSnapshot(`
    "<review>
    The user reviewed the changes you proposed.
    Rejected, and not in the files. Do not make these changes again unless you are asked to:
    a.ts:2
    - two
    + TWO
    Edited by the user before it was accepted. The user’s text is in the files:
    a.ts:5
    You proposed:
    + FIVE
    The user wrote:
    + V
    </review>"
  `);
  expect(files.takeSettled()).toEqual([]);
});

test('accepting everything is one step', async () => {
  const { editor, files } = world();
  await edit(files, 'two', 'TWO');
  await edit(files, 'five', 'FIVE');
  await files.decide(all(files, { kind: 'accepted' }), calm);
  expect(editor.steps).toBe(1);
});

test('what the user types while the agent edits is kept', async () => {
  const { editor, files } = world();
  const shown = files.overlay();
  const content = await readText(shown, path);
  editor.type(path, before.replace('five', 'five!'));
  const made = shown.write(path, { ...content, text: content.text.replace('two', 'TWO') });
  expect(await files.commit(made, {}, calm)).toMatchObject({ kind: 'committed' });
  await files.decide(all(files, { kind: 'accepted' }), calm);
  expect(await editor.read(path)).toBe('one\nTWO\nthree\nfour\nfive!\n');
});

test('an edit of lines that the user is typing in conflicts', async () => {
  const { editor, files } = world();
  const shown = files.overlay();
  const content = await readText(shown, path);
  editor.type(path, before.replace('two', 'too'));
  const made = shown.write(path, { ...content, text: content.text.replace('two', 'TWO') });
  expect(await files.commit(made, {}, calm)).toEqual({ kind: 'conflict', paths: [path] });
});

test('where edits are accepted ahead of time they are applied at once, and what was open stays open', async () => {
  const { editor, files, choose } = world();
  await edit(files, 'two', 'TWO');
  choose('applied');
  await edit(files, 'five', 'FIVE');
  expect(await editor.read(path)).toBe('one\ntwo\nthree\nfour\nFIVE\n');
  expect(files.files[0]?.hunks.map(({ text }) => text)).toEqual(['TWO\n']);
});

test('work that the user accepted ahead of time is applied together with its record, or not at all', async () => {
  const { editor, files } = world();
  const shown = files.overlay();
  const made = shown.write(path, { kind: 'text', text: 'new\n' });
  const refused = { decide: () => Promise.reject(new Error('the record is full')) };
  await expect(files.commit(made, { decision: refused }, calm)).rejects.toThrow('the record is full');
  expect(await editor.read(path)).toBe(before);
  const recorded: string[] = [];
  await files.commit(made, { decision: { decide: async () => void recorded.push('done') } }, calm);
  expect([await editor.read(path), recorded]).toEqual(['new\n', ['done']]);
});

function world(): { editor: MemoryEditor; files: ProposedFiles; choose: (choice: EditChoice) => void } {
  let choice: EditChoice = 'proposed';
  const editor = new MemoryEditor(new MemorySource({ 'a.ts': before }));
  const files = new ProposedFiles(editor, () => choice);
  return {
    editor,
    files,
    choose: (next) => {
      choice = next;
    },
  };
}

/** Edits as a tool of the agent does. */
async function edit(files: ProposedFiles, from: string, to: string): Promise<void> {
  const shown = files.overlay();
  const made = await editText(shown, path, (text) => text.replace(from, to));
  expect(await files.commit(made, {}, calm)).toMatchObject({ kind: 'committed' });
}

async function seen(files: ProposedFiles): Promise<string> {
  return (await readText(files.overlay(), path)).text;
}

function ids(files: ProposedFiles): [string, string] {
  const [first = '', second = ''] = files.files.flatMap(({ hunks }) => hunks.map(({ id }) => id));
  return [first, second];
}

function all(files: ProposedFiles, decision: HunkDecision): ReadonlyMap<string, HunkDecision> {
  return new Map(files.files.flatMap(({ hunks }) => hunks.map(({ id }) => [id, decision] as const)));
}
