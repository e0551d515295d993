/** A program that uses the library as its guide says, in words for `node`; it reads a patch and judges it in a workspace. */
const entry = (name: string): string =>
  JSON.stringify(new URL(`../../../dist/${name}.js`, import.meta.url).href);

/** `node` with these words and a directory opens it, judges the patch, and again in a session. */
export const libraryProgram: readonly string[] = [
  '--input-type=module',
  '--eval',
  `
import { text } from 'node:stream/consumers';
import { silentLog, verdictOf } from ${entry('index')};
import { applyPatch, parseUnifiedDiff } from ${entry('overlay')};
import { checkOverlay, Sessions, WorkspaceRegistry } from ${entry('session')};
const root = process.argv[1];
const signal = AbortSignal.timeout(200_000);
const env = process.env;
const workspaces = new WorkspaceRegistry({ definitions: 'detect', poolSize: 1, env, log: silentLog });
try {
  const sessions = new Sessions({ workspaces, log: silentLog });
  const { live, workspace } = await workspaces.connect().forFile(root + '/math.ts', signal);
  const patches = parseUnifiedDiff(await text(process.stdin));
  const outcome = await applyPatch(live.emptyOverlay(), patches);
  if (outcome.kind !== 'applied') throw new Error('the patch does not apply');
  const request = { overlay: outcome.overlay, against: 'disk', scope: 'workspace', timeoutMs: 60_000, onProgress: () => {} };
  const { verdict } = await checkOverlay(live, request, signal);
  const session = await sessions.create({ live, language: live.languageFor(workspace.path('math.ts')) }, signal);
  await session.transform(async () => outcome.overlay, signal);
  const own = verdictOf(await session.evaluate({ scope: 'file', timeoutMs: 60_000 }, signal));
  process.stdout.write(JSON.stringify({ root: workspace.root, verdict: verdict.kind, own: own.kind, trust: live.trust }));
} finally {
  await workspaces[Symbol.asyncDispose]();
}
`,
];
