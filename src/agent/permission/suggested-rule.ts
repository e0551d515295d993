/**
 * The allow rule offered to the user together with a permission question.
 *
 * Invariant: the rule covers the call in question, and only commands that begin with the same words.
 */
import { isBoundary } from '../../shell/boundary.ts';
import { parseShellList } from '../../shell/syntax/shell-parser.ts';
import type { GuardedCall } from '../../tools/guarded-call.ts';
import type { PermissionRule } from '../../tools/permission-request.ts';

export function suggestedRule({ tool, effect, subject }: GuardedCall): PermissionRule {
  switch (subject.kind) {
    case 'none':
      return { tool };
    case 'paths':
      return { tool: effect === 'overlay' ? 'Edit' : tool, pattern: '**' };
    case 'command':
      return { tool, pattern: commandPattern(subject.command) };
  }
}

/** Programs whose first argument is a subcommand. */
const withSubcommand: ReadonlySet<string> = new Set([
  'git',
  'npm',
  'npx',
  'pnpm',
  'yarn',
  'bun',
  'node',
  'deno',
  'cargo',
  'go',
  'dotnet',
  'docker',
  'kubectl',
  'make',
  'just',
  'poetry',
  'uv',
  'pip',
  'python',
  'python3',
  'bundle',
  'rake',
  'mix',
  'gradle',
  'mvn',
  'gh',
]);

/** Subcommands that need a second word to say what is run. */
const runners: ReadonlySet<string> = new Set(['run', 'exec', 'x', '-m']);

function commandPattern(command: string): string {
  const list = parseShellList(command);
  const [only, ...others] = isBoundary(list) ? [] : list.flatMap(({ pipeline }) => pipeline);
  if (!only || others.length > 0) return command.trim();
  const [program = '', first, second] = only.argv.map(({ text }) => text);
  // For any other program, and for options that carry code, the rule covers this exact command only.
  if (!withSubcommand.has(program) || first === undefined) return command.trim();
  if (first.startsWith('-') && !runners.has(first)) return command.trim();
  const words = runners.has(first) && second !== undefined ? [program, first, second] : [program, first];
  return `${words.join(' ')}:*`;
}
