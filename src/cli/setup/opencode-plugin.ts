/** The plugin that has opencode ask `forerun hook`: it hands edits over, and carries out what is answered. */

/** The first line, by which the file is known as ours. */
export const pluginMark = '// Written by `forerun init --hooks`; `forerun uninstall` removes it.';

export function opencodePlugin(words: readonly string[]): string {
  const [command = 'forerun', ...args] = words;
  return `${pluginMark}
import { spawn } from 'node:child_process';

const editing = ['edit', 'multiedit', 'write', 'apply_patch', 'patch'];

/** What the hook answers; nothing if it cannot be started. */
function ask(event, directory) {
  return new Promise((resolve) => {
    const child = spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { cwd: directory, stdio: ['pipe', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk) => { output += chunk; });
    child.on('error', () => resolve({}));
    child.on('close', () => {
      try { resolve(JSON.parse(output)); } catch { resolve({}); }
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify({ agent: 'opencode', directory, ...event }));
  });
}

export const ForerunHook = async ({ client, directory }) => {
  const notes = new Map();
  const sentBack = new Set();
  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      if (!editing.includes(tool)) return;
      const { decision, note } = await ask({ event: 'before', session: sessionID, tool, args }, directory);
      if (decision === 'deny') throw new Error(note);
      if (note) notes.set(callID, note);
    },
    'tool.execute.after': async ({ callID }, output) => {
      const note = notes.get(callID);
      notes.delete(callID);
      if (note) output.output = \`\${output.output ?? ''}\\n\\n\${note}\`;
    },
    event: async ({ event }) => {
      if (event.type !== 'session.idle') return;
      const session = event.properties.sessionID;
      const { decision, note } = await ask({ event: 'stop', session, isRetry: sentBack.has(session) }, directory);
      if (decision !== 'deny' || sentBack.has(session)) { sentBack.delete(session); return; }
      sentBack.add(session);
      await client.session.prompt({ path: { id: session }, body: { parts: [{ type: 'text', text: note }] } });
    },
  };
};
`;
}
