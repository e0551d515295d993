/**
 * Parses the arguments of a skill from its hint line.
 *
 * Invariant: a hint always gives the same arguments in the same order, and no name twice.
 */
export interface SkillArgument {
  readonly name: string;
  readonly isRequired: boolean;
}

/** Each `[…]` or `<…>` is an argument; `|` inside separates several; a leading `optional` makes it optional. */
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
  // A flag is always optional, whatever its brackets say.
  const isRequired = inner === trimmed && !inner.startsWith('--');
  return inner
    .split('|')
    .map((name) => name.replace(/[<>]/g, '').trim().replace(/\s+/g, '-'))
    .filter((name) => name !== '')
    .map((name) => ({ name, isRequired }));
}
