/** A program that uses the library as its guide says, in words for `node`; it reads a patch and judges it in a workspace. */
const library = new URL('../../../dist/index.js', import.meta.url);

/** `node` with these words and a directory opens it, judges the patch, and again in a session. */
export const libraryProgram: readonly string[] = [
  '--input-type=module',
  '--eval',
  `
import { text } from 'node:stream/consumers';
import { applyPatch, checkOverlay, OpenWorkspaces, parseUnifiedDiff, Sessions, silentLog, verdictOf } from ${JSON.stringify(library.href)};
const root = process.argv[1];
const signal = AbortSignal.timeout(200_000);
const env = process.env;
const workspaces = new OpenWorkspaces({ definitions: 'detect', poolSize: 1, env, log: silentLog });
try {
  const sessions = new Sessions({ workspaces, log: silentLog });
  const { executor, workspace } = await workspaces.forFile(root + '/math.ts', signal);
  const patches = parseUnifiedDiff(await text(process.stdin));
  const outcome = await applyPatch(executor.emptyOverlay(), patches);
  if (outcome.kind !== 'applied') throw new Error('the patch does not apply');
  const request = { overlay: outcome.overlay, against: 'disk', scope: 'workspace', timeoutMs: 60_000, onProgress: () => {} };
  const { verdict } = await checkOverlay(executor, request, signal);
  const session = await sessions.create({ executor, language: executor.languageFor(workspace.path('math.ts')) }, signal);
  await session.transform(async () => outcome.overlay, signal);
  const own = verdictOf(await session.evaluate({ scope: 'file', timeoutMs: 60_000 }, signal));
  process.stdout.write(JSON.stringify({ root: workspace.root, verdict: verdict.kind, own: own.kind, trust: executor.trust }));
} finally {
  await workspaces[Symbol.asyncDispose]();
}
`,
];
