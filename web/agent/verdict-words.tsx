/** Verdicts of the agent in the words and shapes of the page. */
import type { VNode } from 'preact';
import type { AgentVerdict } from '../../src/editor/protocol/agent.ts';
import { Verdict, type VerdictKind } from '../ui/verdict.tsx';

const kinds: Readonly<Record<AgentVerdict['kind'], VerdictKind>> = {
  checking: 'checking',
  clean: 'clean',
  broken: 'break',
  unknown: 'unknown',
};

export function AgentVerdictView({
  verdict,
  form = 'plain',
}: {
  readonly verdict: AgentVerdict;
  readonly form?: 'plain' | 'pill';
}): VNode {
  return (
    <span title={verdict.kind === 'unknown' ? verdict.why.join(' ') : undefined}>
      <Verdict kind={kinds[verdict.kind]} form={form} size="small">
        {verdictWords(verdict)}
      </Verdict>
    </span>
  );
}

export function verdictWords(verdict: AgentVerdict): string {
  switch (verdict.kind) {
    case 'checking':
      return 'Checking';
    case 'clean':
      return 'Clean';
    case 'unknown':
      return 'Unknown';
    case 'broken': {
      const { paths, errors, isProved } = verdict;
      const more = isProved ? '' : ' or more';
      return paths.length > 0
        ? `Breaks ${counted(paths.length, 'file')}${more}`
        : `${counted(errors, 'error')}${more}`;
    }
  }
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
