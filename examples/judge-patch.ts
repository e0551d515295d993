/** What would this patch break? Run: `npx tsx examples/judge-patch.ts <workspace> < change.patch`. */
import { text } from 'node:stream/consumers';
import { openForerun } from 'forerun';

const [root = '.'] = process.argv.slice(2);
await using forerun = await openForerun({ root });
const { verdict, evaluations, unjudged } = await forerun.check(await text(process.stdin));

process.stdout.write(`${verdict.kind}\n`);
for (const { introduced } of evaluations) {
  for (const { path, diagnostic } of introduced) {
    process.stdout.write(`${path}:${diagnostic.range.start.line + 1} ${diagnostic.message}\n`);
  }
}
for (const { paths, reason } of unjudged)
  process.stdout.write(`not judged: ${paths.join(', ')} (${reason})\n`);
