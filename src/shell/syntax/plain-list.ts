/**
 * Which commands are plain: simple, without variables, with literal words or file name patterns.
 *
 * Invariant: the words of a plain command alone say what is run, so that a permission can be matched against them.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { ShellWord, Stage } from './shell-list.ts';

/** Why a command is not plain; undefined if it is. */
export function refuseUnplain(stage: Stage): ShellBoundary | undefined {
  if (stage.kind === 'group') return boundary('grouping', stage.at, 'commands are grouped');
  if (stage.kind !== 'simple') return boundary('keyword', stage.at, 'commands are repeated or chosen');
  const [assignment] = stage.assignments;
  if (assignment) return boundary('assignment', assignment.at, 'a variable would be set');
  if (stage.errorsPiped) return boundary('operator', stage.at, '|& is not plain');
  if (stage.argv[0]?.text === '[' && stage.argv[0].respelled)
    return boundary('keyword', stage.at, "[[ belongs to the shell's own language");
  const { input } = stage;
  if (input?.kind === 'word') return boundary('expansion', input.word.at, 'the input holds an expansion');
  if (input?.kind === 'output') return boundary('expansion', stage.at, 'the input is the output of a script');
  const words = input?.kind === 'file' ? [...stage.argv, input.path] : stage.argv;
  for (const word of words) {
    const refused = refuseWord(word);
    if (refused) return refused;
  }
  return undefined;
}

function refuseWord({ parts, pattern, respelled, at }: ShellWord): ShellBoundary | undefined {
  if (parts) return boundary('expansion', at, 'a parameter or command substitution would be expanded');
  if (respelled) return boundary('brace', at, 'braces would be expanded; quote them or write the words out');
  if (pattern?.some((piece) => 'bracket' in piece)) {
    return boundary('glob', at, 'bracket patterns are not plain; quote them or use * and ?');
  }
  return undefined;
}
