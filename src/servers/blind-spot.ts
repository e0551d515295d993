/** What an empty answer of a server does not prove, whichever text it was asked about. */
import type { ServerDefinition } from './server-definition.ts';
import type { ServerRegister } from './server-register.ts';

export function blindSpot({ name, checker }: ServerDefinition, register: ServerRegister): string | undefined {
  if (checker === undefined) return undefined;
  if (checker.kind === 'none') return `${name} does not check ${checker.blindTo}.`;
  if (register.hasOnPath(checker.name)) return undefined;
  return `${name} finds errors by ${checker.name}, which is not installed: ${checker.installHint}.`;
}
