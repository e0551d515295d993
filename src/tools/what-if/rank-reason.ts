/** Why an alternative has its rank, in words. */
import { type Evaluation, verdictOf } from '../../evaluation/evaluation.ts';
import type { CommandRecord } from '../../session/session-details.ts';
import { counted } from '../../text/counted-noun.ts';

export function rankReason(evaluation: Evaluation, commands: readonly CommandRecord[]): string {
  const verdict = verdictOf(evaluation);
  const parts = [
    verdict.kind === 'clean' && 'no errors',
    verdict.kind === 'broken' && counted(verdict.errors, 'error'),
    verdict.kind === 'unknown' && `not proved${verdict.why[0] === undefined ? '' : `: ${verdict.why[0]}`}`,
    evaluation.resolved.length > 0 && `${counted(evaluation.resolved.length, 'problem')} resolved`,
    commandsReason(commands),
  ];
  return parts.filter((part) => typeof part === 'string').join(', ');
}

function commandsReason(commands: readonly CommandRecord[]): string | undefined {
  if (commands.length === 0) return undefined;
  const failed = commands.filter(({ passed }) => !passed).length;
  return failed === 0 ? 'commands pass' : `${counted(failed, 'command')} did not pass`;
}
