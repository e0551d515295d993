/** `npm run check:returns`: no promise is returned out of a block that ends before it settles. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programOf, unawaitedReturns } from './lint/unawaited-return.ts';

const top = fileURLToPath(new URL('../', import.meta.url));
const found = ['../tsconfig.json', '../web/tsconfig.json'].flatMap((name) => {
  const program = programOf(fileURLToPath(new URL(name, import.meta.url)));
  return unawaitedReturns(program, (file) => file.startsWith(top) && !file.includes('/node_modules/'));
});
for (const { file, line, text } of found) {
  console.error(`${relative(top, file)}:${line} returns a promise out of a block that ends first: ${text}`);
}
if (found.length > 0) console.error('Await it: `return await …`.');
process.exitCode = found.length > 0 ? 1 : 0;
