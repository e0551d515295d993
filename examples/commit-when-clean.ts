/**
 * Replaces a passage in a file, and writes it only when that is proved to break nothing.
 * Run: `npx tsx examples/commit-when-clean.ts <file> <old text> <new text>`.
 */
import { dirname } from 'node:path';
import { openForerun, verdictOf } from 'forerun';
import { editText } from 'forerun/overlay';

const [file = '', oldText = '', newText = ''] = process.argv.slice(2);
const signal = AbortSignal.timeout(120_000);
await using forerun = await openForerun({ root: dirname(file), signal });

const session = await forerun.session(file, signal);
const path = await session.workspace.resolve(file);
await session.transform(
  (overlay) => editText(overlay, path, (text) => text.replace(oldText, () => newText)),
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
