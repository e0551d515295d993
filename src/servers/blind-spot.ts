/** Why an empty answer of a server proves nothing, whatever text it is about; undefined if it does. */
import type { ServerDefinition } from './server-definition.ts';
import type { ServerRegister } from './server-register.ts';

export function blindSpot({ name, checker }: ServerDefinition, register: ServerRegister): string | undefined {
  if (checker === undefined) return undefined;
  if (checker.kind === 'none') return `${name} does not check ${checker.blindTo}.`;
  if (register.hasOnPath(checker.name)) return undefined;
  return `${name} finds errors by ${checker.name}, which is not installed: ${checker.installHint}.`;
}
