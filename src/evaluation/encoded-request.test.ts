import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemorySource, workspacePath } from '../../test/support/memory-source.ts';
import { moveFile, Overlay } from '../overlay/overlay.ts';
import { languageId } from '../servers/language.ts';
import { changesOf } from '../servers/projection.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { decodeRequest, encodeRequest } from './encoded-request.ts';
import type { EvaluationRequest } from './evaluator.ts';

const p = workspacePath;
const disk = new MemorySource({ 'a.ts': 'a', 'dir/b.ts': 'b', 'dir/c.ts': 'c' });

const content: fc.Arbitrary<FileContent> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('text' as const),
      // A text that an edit left with half a surrogate pair must survive as well.
      text: fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\ud800 half')),
      bom: fc.constant(true),
      mode: fc.constant(0o755),
    },
    { requiredKeys: ['kind', 'text'] },
  ),
  fc.record({
    kind: fc.constant('binary' as const),
    bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  }),
  fc.record({ kind: fc.constant('symlink' as const), target: fc.string({ minLength: 1 }) }),
);

const layer = fc.array(
  fc.tuple(
    fc.constantFrom('a.ts', 'dir', 'dir/b.ts', 'n/n.ts').map(p),
    fc.oneof(content, fc.constant('removed' as const)),
  ),
  { maxLength: 4 },
);

const question = fc.record(
  {
    workspace: fc.record({ root: fc.string() }),
    against: fc.constantFrom('disk' as const, 'beneath' as const),
    languages: fc.array(fc.constantFrom('typescript', 'go').map(languageId)),
    mainLanguage: fc.constantFrom('typescript', 'go').map(languageId),
    scope: fc.constantFrom('file' as const, 'workspace' as const),
    timeoutMs: fc.nat(),
    serverStart: fc.constantFrom('within-timeout' as const, 'unlimited' as const),
    caller: fc.string(),
  },
  { requiredKeys: ['workspace', 'scope', 'timeoutMs', 'caller'] },
);

const request: fc.Arbitrary<EvaluationRequest> = fc
  .tuple(question, fc.array(layer, { minLength: 1, maxLength: 3 }))
  .map(([asked, layers]) => ({
    ...asked,
    overlay: layers.reduce(
      (beneath, entries) => Overlay.on(beneath).writeAll(entries),
      Overlay.on(new Baseline(disk)),
    ),
  }));

test('an encoded request survives JSON unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const encoded = await encodeRequest(asked);
      expect(JSON.parse(JSON.stringify(encoded))).toStrictEqual(encoded);
    }),
  );
});

test('a decoded request is the original one, with the same overlay', async () => {
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const encoded = JSON.parse(JSON.stringify(await encodeRequest(asked)));
      const { overlay, restsOn, ...plain } = decodeRequest(encoded, disk);
      const { overlay: original, ...plainBefore } = asked;
      expect(plain).toEqual(plainBefore);
      expect(restsOn).toEqual(encoded.restsOn);
      expect(layersOf(overlay)).toEqual(layersOf(original));
      expect(await overlay.changes()).toEqual(await original.changes());
      expect(await changesOf(overlay)).toEqual(await changesOf(original));
    }),
  );
});

test('a request that moves a file keeps the move, and rests on both of its paths', async () => {
  const overlay = await moveFile(Overlay.on(new Baseline(disk)), p('dir'), p('moved'));
  const asked: EvaluationRequest = {
    workspace: { root: '/w' },
    overlay,
    scope: 'file',
    timeoutMs: 1,
    caller: 'x',
  };
  const decoded = decodeRequest(await encodeRequest(asked), disk);
  expect(await decoded.overlay.changes()).toEqual(await overlay.changes());
  expect(decoded.restsOn?.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['dir/b.ts', 'dir/c.ts', 'moved/b.ts', 'moved/c.ts']),
  );
});

test.each<[string, (encoded: Record<string, unknown>) => Record<string, unknown>]>([
  ['another version', (encoded) => ({ ...encoded, version: 2 })],
  ['no overlay', ({ overlay: _, ...encoded }) => encoded],
  ['an unknown scope', (encoded) => ({ ...encoded, scope: 'everything' })],
  [
    'a path that leaves the workspace',
    (encoded) => ({
      ...encoded,
      overlay: [{ entries: [{ path: '../x', kind: 'removed' }], renames: [], madeOn: [] }],
    }),
  ],
])('a malformed request is refused: %s', async (_, damage) => {
  const overlay = Overlay.on(new Baseline(disk)).writeText(p('a.ts'), 'b');
  const encoded = await encodeRequest({
    workspace: { root: '/w' },
    overlay,
    scope: 'file',
    timeoutMs: 1,
    caller: 'x',
  });
  expect(() => decodeRequest(damage(encoded), disk)).toThrow(
    expect.objectContaining({ code: 'evaluation/malformed-request' }),
  );
});

function layersOf(overlay: Overlay): readonly unknown[] {
  const own = { layer: overlay.layer(), renames: overlay.renames() };
  return overlay.base instanceof Overlay ? [...layersOf(overlay.base), own] : [own];
}
