/** Creates a session: edits that exist only in memory. */
import { z } from 'zod';
import { languageId } from '../../servers/language.ts';
import { text, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const createSimulationSession: Tool = defineTool({
  name: 'create_simulation_session',
  title: 'Create Simulation Session',
  effect: 'overlay',
  description:
    'Start a speculative session: its edits are shown to the language server and evaluated, but not written to disk until commit_session.',
  input: z.object({
    workspace_root: word('Absolute path of the workspace.'),
    language: word('Language id, e.g. typescript, python, go, rust.'),
    title: text('What the change is for, in a sentence; shown to the user with the session.').optional(),
  }),
  async handle(context, { workspace_root, language, title }, signal) {
    const view = await during('invalid workspace_root', () => context.workspaces.use(workspace_root, signal));
    const session = await during('create_session failed', () =>
      context.sessions.create(
        { live: view.live, language: languageId(language), author: context.connection.client, title },
        signal,
      ),
    );
    return jsonResult({ session_id: session.id, status: 'created' });
  },
});
