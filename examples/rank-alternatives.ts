/** Two ways to make the same change; which does less harm? Run: `npx tsx examples/rank-alternatives.ts <file>`. */
import { dirname } from 'node:path';
import { type Session, Sessions, silentLog, WorkspaceRegistry } from 'forerun';

const [file = 'math.ts'] = process.argv.slice(2);
const signal = AbortSignal.timeout(120_000);
await using workspaces = new WorkspaceRegistry({
  definitions: 'detect',
  poolSize: 2,
  env: process.env,
  log: silentLog,
});
const sessions = new Sessions({ workspaces, log: silentLog });
const { live, workspace } = await workspaces.open(dirname(file), signal);
const path = await workspace.resolve(file);

/** A session in which every `from` of the file is `to`. */
async function alternative(from: string, to: string): Promise<Session> {
  const session = await sessions.create({ live, language: live.languageFor(path) }, signal);
  await session.transform((overlay) => overlay.editText(path, (text) => text.replaceAll(from, to)), signal);
  return session;
}

const narrower = await alternative('a: number', 'a: string');
const wider = await alternative('a: number', 'a: number | bigint');
for (const session of [narrower, wider]) {
  const { introduced, confidence } = await session.evaluate({ scope: 'workspace' }, signal);
  process.stdout.write(
    `${session.edits.length} edit, ${introduced.length} errors introduced (${confidence})\n`,
  );
}
