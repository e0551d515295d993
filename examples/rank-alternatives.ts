/** Two ways to make the same change; which does less harm? Run: `npx tsx examples/rank-alternatives.ts <file>`. */
import { dirname } from 'node:path';
import { openForerun } from 'forerun';
import { editText } from 'forerun/overlay';
import type { Session } from 'forerun/session';

const [file = 'math.ts'] = process.argv.slice(2);
const signal = AbortSignal.timeout(120_000);
await using forerun = await openForerun({ root: dirname(file), signal });

/** A session in which every `from` of the file is `to`. */
async function alternative(from: string, to: string): Promise<Session> {
  const session = await forerun.session(file, signal);
  const path = await session.workspace.resolve(file);
  await session.transform((overlay) => editText(overlay, path, (text) => text.replaceAll(from, to)), signal);
  return session;
}

const narrower = await alternative('a: number', 'a: string');
const wider = await alternative('a: number', 'a: number | bigint');
for (const session of [narrower, wider]) {
  const { introduced, confidence } = await session.evaluate({ scope: 'workspace' }, signal);
  process.stdout.write(
    `${session.history.edits.length} edit, ${introduced.length} errors introduced (${confidence})\n`,
  );
}
