/**
 * Replaces a passage in a file, and writes it only when that is proved to break nothing.
 * Run: `npx tsx examples/commit-when-clean.ts <file> <old text> <new text>`.
 */
import { dirname } from 'node:path';
import { Sessions, silentLog, verdictOf, WorkspaceRegistry } from 'forerun';

const [file = '', oldText = '', newText = ''] = process.argv.slice(2);
const signal = AbortSignal.timeout(120_000);
await using workspaces = new WorkspaceRegistry({
  definitions: 'detect',
  poolSize: 1,
  env: process.env,
  log: silentLog,
});
const sessions = new Sessions({ workspaces, log: silentLog });
const { live, workspace } = await workspaces.open(dirname(file), signal);
const path = await workspace.resolve(file);

const session = await sessions.create({ live, language: live.languageFor(path) }, signal);
await session.transform(
  (overlay) => overlay.editText(path, (text) => text.replace(oldText, () => newText)),
  signal,
);
const verdict = verdictOf(await session.evaluate({ scope: 'workspace', timeoutMs: 60_000 }, signal));

if (verdict.kind === 'clean') {
  const destination = { kind: 'disk', onConflict: 'refuse' } as const;
  const { filesWritten } = await session.commit({ destination, patchFormat: 'unified' }, signal);
  process.stdout.write(`clean: ${filesWritten} file written\n`);
} else {
  process.stdout.write(`${verdict.kind}: nothing written\n`);
  process.exitCode = 1;
}
