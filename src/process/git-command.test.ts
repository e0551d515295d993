import { expect, test } from 'vitest';
import { programOverrides } from './git-command.ts';

const off = (name: string): string[] =>
  ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((value) => ['-c', `filter.${name}.${value}`]);

const textMerge = 'git merge-file --marker-size=%L %A %O %B';

test.each<[string, readonly string[], readonly string[] | undefined]>([
  ['no filter', ['core.bare', 'diff.x.textconv'], []],
  ['one filter with several settings', ['filter.lfs.clean', 'filter.lfs.required'], off('lfs')],
  ['an upper-case section', ['FILTER.a.clean'], off('a')],
  ['a name with dots and blanks', ['filter.a b.c.process'], off('a b.c')],
  ['two filters', ['filter.a.clean', 'filter.b.smudge'], [...off('a'), ...off('b')]],
  ['a name that would end early', ['filter.a=b.clean'], undefined],
  ['a name of two lines', ['filter.a\nb.clean'], undefined],
  ['a hook', ['hook.own.command', 'hook.own.event'], ['-c', 'hook.own.command=true']],
  ['a merge driver', ['merge.own.driver', 'merge.conflictstyle'], ['-c', `merge.own.driver=${textMerge}`]],
])('%s', (_, settings, expected) => {
  expect(programOverrides(settings)).toEqual(expected);
});
