import { defineServer } from '../../src/servers/catalogue/entry.ts';
import type { ServerDefinition, Settle } from '../../src/servers/server-definition.ts';
import { type Behaviour, scriptedServerCommand } from './scripted.ts';

/** A definition of the scripted server for files ending in `.scripted`, settled in the given way. */
export function scriptedDefinition(
  behaviour: Behaviour,
  settle: Settle = { mode: 'pull' },
): ServerDefinition {
  return defineServer({
    name: 'scripted',
    languages: ['scripted'],
    extensions: ['scripted'],
    executes: 'nothing',
    command: scriptedServerCommand(behaviour),
    installHint: 'It is part of the tests.',
    settle,
    believesUnsaved: { created: 'anywhere', deleted: 'by-event', dependents: 'all' },
    reach: 'all',
    quirks: { readiness: 'immediate' },
  });
}
