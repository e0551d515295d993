/** Who uses this symbol? Run: `npx tsx examples/call-tool.ts <file> <line> <column>`, counted from 1. */
import { dirname } from 'node:path';
import { contentOf, openForerun } from 'forerun';

const [file_path = '', line = '1', column = '1'] = process.argv.slice(2);
await using forerun = await openForerun({ root: dirname(file_path) });
const result = await forerun.call('find_references', {
  file_path,
  line: Number(line),
  column: Number(column),
});

for (const text of contentOf(result)) process.stdout.write(`${text}\n`);
if (result.isError) process.exitCode = 1;
