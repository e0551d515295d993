/**
 * `npx tsx scripts/count-walk.ts`: how many of our files and functions a warm `preview_edit` of a new edit in workspace scope
 * runs through, by V8's precise coverage. The figures in ARCHITECTURE.md come from here.
 */
import { Session as Inspector } from 'node:inspector/promises';
import { ToolWorld } from '../test/support/tool-world.ts';

const files = {
  'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, module: 'nodenext', noEmit: true } }),
  'src/area.ts': 'export function area(side: number): number {\n  return side * side;\n}\n',
  'src/report.ts': "import { area } from './area.js';\n\nexport const total: number = area(2);\n",
};

await using world = await ToolWorld.open(files);
const edit = (newText: string) => ({
  file_path: world.at('src/area.ts'),
  start_line: 1,
  start_column: 28,
  end_line: 1,
  end_column: 34,
  new_text: newText,
  scope: 'workspace',
});
for (const newText of ['string', 'bigint', 'string']) await world.call('preview_edit', edit(newText));
const inspector = new Inspector();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const { isError, text } = await world.call('preview_edit', edit('boolean'));
if (isError) throw new Error(text);
const { result } = await inspector.post('Profiler.takePreciseCoverage');
inspector.disconnect();

const ran = new Map<string, number>();
for (const { url, functions } of result) {
  const [, file] = /\/(src\/.*\.ts)$/.exec(url) ?? [];
  if (file === undefined || url.includes('/node_modules/')) continue;
  // The function without a name is the module itself, which ran when it was loaded.
  const called = functions.filter(
    ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
  );
  if (called.length > 0) ran.set(file, called.length);
}
const folders = new Map<string, number>();
for (const file of ran.keys()) {
  const folder = file.split('/')[1] ?? '';
  folders.set(folder, (folders.get(folder) ?? 0) + 1);
}
const functions = [...ran.values()].reduce((sum, count) => sum + count, 0);
console.log(`${ran.size} files, ${functions} functions`);
console.log(
  [...folders]
    .map(([folder, count]) => `${folder} ${count}`)
    .sort()
    .join(', '),
);
for (const file of [...ran.keys()].sort()) console.log(`  ${file} ${ran.get(file)}`);
