/**
 * The arguments of a skill, read from the one line that hints at them to a person.
 *
 * Invariant: a hint gives the same arguments in the same order every time, and no name twice.
 */
export interface SkillArgument {
  readonly name: string;
  readonly isRequired: boolean;
}

/** Each `[…]` or `<…>` is an argument; `|` inside separates several; `optional` in front makes it one that may be left out. */
export function readArgumentHint(hint: string): readonly SkillArgument[] {
  const found = new Map<string, SkillArgument>();
  for (const [, square, angle] of hint.matchAll(/\[([^\]]*)\]|<([^>]*)>/g)) {
    for (const argument of argumentsOf(square ?? angle ?? '')) {
      if (!found.has(argument.name)) found.set(argument.name, argument);
    }
  }
  return [...found.values()];
}

function argumentsOf(group: string): readonly SkillArgument[] {
  const trimmed = group.trim();
  const inner = trimmed.replace(/^optional[:\s]\s*/, '');
  // Nobody has to give a flag, whatever its brackets say.
  const isRequired = inner === trimmed && !inner.startsWith('--');
  return inner
    .split('|')
    .map((name) => name.replace(/[<>]/g, '').trim().replace(/\s+/g, '-'))
    .filter((name) => name !== '')
    .map((name) => ({ name, isRequired }));
}
