/**
 * The text for an agent's rules file: when to ask, which tools to use, and the workflows.
 *
 * Invariant: it names only tools and skills that exist.
 */
import { type NamedSkill, skillTable } from './skill-table.ts';

export interface RulesContent {
  readonly tools: readonly { readonly name: string }[];
  readonly skills: readonly NamedSkill[];
  readonly audience: 'claude' | 'any';
}

export function rulesText({ tools, skills, audience }: RulesContent): string {
  const isThere = (name: string) => tools.some((tool) => tool.name === name);
  const steps = guidance.filter(({ names }) => names.every(isThere)).map(({ text }) => `- ${text}`);
  const sections = [`## Forerun: see what an edit would do\n\n${steps.join('\n')}`];
  const preferred = preferences.filter(({ use }) => isThere(use));
  if (audience === 'claude' && preferred.length > 0) {
    const rows = preferred.map(({ want, use, not }) => `| ${want} | \`${use}\` | ${not} |`);
    sections.push(['| to | use | not |', '| --- | --- | --- |', ...rows].join('\n'));
  }
  if (skills.length > 0) {
    sections.push(`Workflows, as prompts of the server:\n\n${skillTable(skills)}`);
  }
  return sections.join('\n\n');
}

const guidance: readonly { readonly names: readonly string[]; readonly text: string }[] = [
  {
    names: ['blast_radius'],
    text: 'Before you change a symbol that other code uses, call `blast_radius` to see what depends on it.',
  },
  {
    names: ['preview_edit'],
    text: 'Before an edit whose effect you are not sure of, call `preview_edit`; scope `workspace` finds what breaks in other files.',
  },
  {
    names: ['safe_apply_edit'],
    text: '`safe_apply_edit` previews and writes in one call, and refuses an edit that introduces errors.',
  },
  { names: ['get_diagnostics'], text: 'After an edit, call `get_diagnostics` for the file.' },
  {
    names: ['create_simulation_session', 'evaluate_session', 'commit_session'],
    text: 'Put edits that belong together into one session: `create_simulation_session`, `simulate_edit`, `evaluate_session`, `commit_session`.',
  },
  {
    names: ['preview_edit'],
    text: 'Verdicts: `clean` is proved, `broken` was observed, `unknown` could not be proved in time.',
  },
];

const preferences: readonly { readonly want: string; readonly use: string; readonly not: string }[] = [
  { want: 'find the uses of a symbol', use: 'find_references', not: 'grep for its name' },
  { want: 'find a definition', use: 'go_to_definition', not: 'grep for `function` or `class`' },
  { want: 'see the contents of a file', use: 'list_symbols', not: 'reading the whole file' },
  { want: 'find a type or signature', use: 'inspect_symbol', not: 'guessing from the call' },
  { want: 'find the callers of a function', use: 'find_callers', not: 'grep for its name and a parenthesis' },
  { want: 'rename a symbol', use: 'rename_symbol', not: 'search and replace' },
  { want: 'check that an edit compiles', use: 'preview_edit', not: 'editing, building and undoing' },
];
