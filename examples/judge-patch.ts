/** What would this patch break? Run: `npx tsx examples/judge-patch.ts <workspace> < change.patch`. */
import { text } from 'node:stream/consumers';
import { applyPatch, parseUnifiedDiff, Sessions, silentLog, verdictOf, WorkspaceRegistry } from 'forerun';

const [root = '.'] = process.argv.slice(2);
const signal = AbortSignal.timeout(120_000);
await using workspaces = new WorkspaceRegistry({
  definitions: 'detect',
  poolSize: 1,
  env: process.env,
  log: silentLog,
});
const sessions = new Sessions({ workspaces, log: silentLog });
const { live, workspace } = await workspaces.open(root, signal);

const patches = parseUnifiedDiff(await text(process.stdin));
const [first] = patches.flatMap(({ newPath, oldPath }) => newPath ?? oldPath ?? []);
if (first === undefined) throw new Error('there is no file in this patch');

const language = live.languageFor(workspace.path(first));
const session = await sessions.create({ live, language }, signal);
await session.transform(async (overlay) => {
  const outcome = await applyPatch(overlay, patches);
  if (outcome.kind === 'applied') return outcome.overlay;
  throw new Error(outcome.rejects.map(({ path, reason }) => `${path}: ${reason}`).join('\n'));
}, signal);

const evaluation = await session.evaluate({ scope: 'workspace', timeoutMs: 60_000 }, signal);
process.stdout.write(`${verdictOf(evaluation).kind}\n`);
for (const { path, diagnostic } of evaluation.introduced) {
  process.stdout.write(`${path}:${diagnostic.range.start.line + 1} ${diagnostic.message}\n`);
}
