/**
 * Working ahead without our agent: the next step is guessed and done on an overlay while a person reads, and becomes
 * real when they ask for it. Run: `npx tsx examples/speculation.ts <directory> <what they say>`.
 */
import { Baseline, commitOverlay, DiskSource, Overlay, stateDirectory, Workspace } from 'forerun/overlay';
import { createSpeculation, renderOffer, SpeculativeFiles } from 'forerun/speculation';

/** What work goes on from: files, and the record of what was looked at. */
interface Branch {
  readonly files: SpeculativeFiles;
  readonly overlay: Overlay;
}

const [root = '.', said = 'write a changelog'] = process.argv.slice(2);
const signal = AbortSignal.timeout(60_000);
const workspace = await Workspace.open(root);
const disk = new DiskSource(workspace);
const changelog = workspace.path('CHANGELOG.md');

function trunk(): Branch {
  const files = SpeculativeFiles.on(Overlay.on(new Baseline(disk)));
  return { files, overlay: files.start };
}

await using speculation = createSpeculation<Branch>({
  // A model would be asked here.
  predict: async ({ on }) =>
    (await on.overlay.read(changelog)) === undefined
      ? { kind: 'suggestion', text: 'write a changelog' }
      : { kind: 'silence', because: 'there is one' },
  // An agent would work here.
  run: async ({ on }) => ({
    boundary: { kind: 'complete' },
    after: { files: on.files, overlay: on.overlay.writeText(changelog, '# Changes\n') },
  }),
  // Language servers would judge here.
  judge: async ({ after }) => ({
    files: (await after.files.changed(after.overlay).changes()).length,
    errorsIntroduced: 0,
    errorsResolved: 0,
    proof: 'unjudged',
    commands: [],
  }),
  commit: async ({ after: { files, overlay } }, caller) => {
    const stale = await files.stale(disk, overlay);
    if (stale.length > 0) return { kind: 'conflict', paths: stale };
    const options = {
      durability: 'process',
      onConflict: 'refuse',
      stateDirectory: stateDirectory(process.env),
    } as const;
    return commitOverlay(workspace, files.changed(overlay), options, caller);
  },
});

speculation.begin(trunk());
await speculation.settled();
const { state } = speculation;
if (state.kind === 'ready') {
  process.stdout.write(`${state.suggestion} (${renderOffer(state.verdict, state.boundary)})\n`);
}
const { kind } = await speculation.accept(said, signal);
process.stdout.write(`"${said}" was ${kind}\n`);
