/** What language servers know about the code that the buffers show, as one feature of the editor. */
import type { Buffers } from '../buffers.ts';
import type { EditApplier } from '../edit-applier.ts';
import type { EditorContext } from '../editor-context.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { codeMethods } from '../protocol/code.ts';
import type { Snapshot } from '../protocol.ts';
import { CodeDesk } from './code-desk.ts';
import { CodeSession } from './code-session.ts';
import { completionHandlers } from './completion-handlers.ts';
import { DiagnosticsWatch } from './diagnostics-watch.ts';
import { editHandlers } from './edit-handlers.ts';
import { lookupHandlers } from './lookup-handlers.ts';
import { ServerStates } from './server-states.ts';
import { structureHandlers } from './structure-handlers.ts';

type CodeMethod = keyof typeof codeMethods;

export class CodeFeature implements EditorFeature<CodeMethod> {
  readonly handlers: Handlers<CodeMethod>;
  /** For features that ask about code themselves. */
  readonly desk: CodeDesk;
  readonly diagnostics: DiagnosticsWatch;
  readonly #states: ServerStates;

  constructor(
    { live, publish, log, signal }: EditorContext,
    { buffers, applier }: { readonly buffers: Buffers; readonly applier: EditApplier },
  ) {
    const session = new CodeSession(buffers, signal);
    this.desk = new CodeDesk({ live, buffers, session, applier });
    this.#states = new ServerStates(live, publish);
    this.diagnostics = new DiagnosticsWatch(this.desk, { states: this.#states, publish, log });
    this.handlers = {
      ...lookupHandlers(this.desk),
      ...completionHandlers(this.desk),
      ...editHandlers(this.desk),
      ...structureHandlers(this.desk),
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
    await this.desk.session[Symbol.asyncDispose]();
  }
}
