/** What language servers know about the code that the buffers show, as one feature of the editor. */
import type { Buffers } from '../buffers.ts';
import type { EditApplier } from '../edit-applier.ts';
import type { EditPlans } from '../edit-plans.ts';
import type { EditorContext } from '../editor-context.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { codeMethods } from '../protocol/code.ts';
import type { Snapshot } from '../protocol.ts';
import { CodeAccess } from './code-access.ts';
import { completionHandlers } from './completion-handlers.ts';
import { DiagnosticsWatch } from './diagnostics-watch.ts';
import { editHandlers } from './edit-handlers.ts';
import { lookupHandlers } from './lookup-handlers.ts';
import { ServerStates } from './server-states.ts';
import { SharedServers } from './shared-servers.ts';
import { structureHandlers } from './structure-handlers.ts';

type CodeMethod = keyof typeof codeMethods;

export class CodeFeature implements EditorFeature<CodeMethod> {
  readonly handlers: Handlers<CodeMethod>;
  /** For features that ask about code themselves. */
  readonly access: CodeAccess;
  readonly diagnostics: DiagnosticsWatch;
  readonly #states: ServerStates;

  constructor(
    { live, publish, log, signal }: EditorContext,
    {
      buffers,
      applier,
      plans,
    }: { readonly buffers: Buffers; readonly applier: EditApplier; readonly plans: EditPlans },
  ) {
    const servers = new SharedServers(buffers, signal);
    this.access = new CodeAccess({ live, buffers, servers, applier });
    this.#states = new ServerStates(live, publish);
    this.diagnostics = new DiagnosticsWatch(this.access, { states: this.#states, publish, log });
    this.handlers = {
      ...lookupHandlers(this.access),
      ...completionHandlers(this.access),
      ...editHandlers(this.access, plans),
      ...structureHandlers(this.access),
      'code.check': async () => {
        this.diagnostics.remeasure();
        return {};
      },
    };
  }

  snapshot(): Pick<Snapshot, 'diagnostics' | 'servers'> {
    return { diagnostics: [...this.diagnostics.current], servers: this.#states.all };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#states[Symbol.dispose]();
    await this.diagnostics[Symbol.asyncDispose]();
    await this.access.servers[Symbol.asyncDispose]();
  }
}
