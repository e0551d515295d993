/**
 * The effect of a module's statements on the types of its variables.
 *
 * Inside its file a variable has the type of its last assignment or test, so a declaration that takes its type from a
 * variable depends on earlier assignments and statements. Other files see the declared type.
 */
import { partKey } from './module-facts.ts';

export interface NamedPart {
  skeleton: string;
  readonly mentions: Set<string>;
  /** Every name in it that may be a reference to a value, whatever it refers to. */
  readonly values: Set<string>;
}

/** Adds to each part the assignments and statements that narrow what it mentions. `narrowed` are narrowed without being tested. */
export function mentionFlow(parts: ReadonlyMap<string, NamedPart>, narrowed: ReadonlySet<string>): void {
  const tested = testedNames(parts);
  for (const [key, part] of parts) {
    // An exported name refers to the variable itself, not to its narrowed type.
    if (key.startsWith('>')) continue;
    for (const name of part.mentions)
      if (parts.has(partKey.assigned(name))) part.mentions.add(partKey.assigned(name));
    const rests = [...part.values].some((name) => tested.has(name) || narrowed.has(name));
    if (rests && key !== partKey.statements) part.mentions.add(partKey.statements);
  }
}

/** The names that statements mention, and those behind a variable that stores the result of a test. */
function testedNames(parts: ReadonlyMap<string, NamedPart>): ReadonlySet<string> {
  const tested = new Set(parts.get(partKey.statements)?.values);
  // A Set iterates over elements added during the iteration.
  for (const name of tested) for (const behind of parts.get(name)?.values ?? []) tested.add(behind);
  return tested;
}
