/** Judging a patch runs its programs confined, or not at all; the verdict is the compiler's all the same. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { checkOverlay } from '../../src/evaluation/local-evaluator.ts';
import { applyPatch } from '../../src/overlay/patch.ts';
import { parseUnifiedDiff } from '../../src/text/unified-diff.ts';
import { TrustStore } from '../../src/workspace/trust.ts';
import { runProgram, withoutProgress } from '../support/built-program.ts';
import {
  crateFiles,
  type HostilePatch,
  hostilePatches,
  patchText,
  Surroundings,
  writeCrate,
} from '../support/hostile-crate.ts';
import { processesMarked } from '../support/marked-process.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { until } from '../support/until.ts';
import { calm, World } from '../support/world.ts';

const hasRust = isOnPath('rust-analyzer') && isOnPath('cargo');
const exitCodes = { clean: 0, broken: 1, unknown: 2 };

let outside: Surroundings;
let root: string;
beforeAll(async () => {
  outside = await Surroundings.open();
  root = await realpath(await mkdtemp('/var/tmp/forerun-crate-'));
  await writeCrate(root);
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  await outside[Symbol.asyncDispose]();
});

async function whatif(
  { files }: HostilePatch,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; report: Record<string, unknown>; evaluation: Record<string, unknown> }> {
  const run = await runProgram(['whatif', '-', '--root', root, '--json', '--timeout', '120000', ...words], {
    input: patchText(crateFiles, files),
    env: { ...outside.env, ...env },
  });
  expect(withoutProgress(run).stderr).toBe('');
  const report = JSON.parse(run.stdout);
  return { code: run.code, report, evaluation: report.evaluations[0] ?? {} };
}

const names = [
  'a build script',
  'a build script beside an error',
  'a procedural macro',
  'a wrapper of the compiler that hides an error',
  'a compiler of its own',
  'a linker',
  'a toolchain of its own',
];

function patchNamed(name: string): HostilePatch {
  const patch = hostilePatches(outside).find((each) => each.name === name);
  if (!patch) throw new Error(`there is no patch called ${name}`);
  return patch;
}

describe.skipIf(!hasRust)(`each patch${hasRust ? '' : ' (no rust-analyzer or no cargo)'}`, () => {
  /** One host judges them all, as in an agent's session: to start rust-analyzer for each takes longer than to judge it. */
  let world: World;
  beforeAll(async () => {
    world = await World.open({}, { root, env: outside.env });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  test('the table above names every patch', () => {
    expect(names).toEqual(hostilePatches(outside).map(({ name }) => name));
  });

  test.each(names)('%s: nothing gets out, and the verdict is the compiler’s', async (name) => {
    const patch = patchNamed(name);
    const patches = parseUnifiedDiff(patchText(crateFiles, patch.files));
    const applied = await applyPatch(world.live.emptyOverlay(), patches);
    if (applied.kind !== 'applied') throw new Error('the patch does not apply');
    const request = { overlay: applied.overlay, scope: 'workspace', timeoutMs: 120_000 } as const;
    const { verdict, evaluations } = await checkOverlay(world.live, request, calm);
    expect(verdict).toMatchObject({ kind: patch.verdict });
    expect(evaluations[0]).toMatchObject({
      confinement: { kind: 'confined' },
      way: 'mounted',
      doubts: [],
    });
    expect(outside.reached).toEqual([]);
  });
});

describe.skipIf(!hasRust)(`whatif${hasRust ? '' : ' (no rust-analyzer or no cargo)'}`, () => {
  test('nothing gets out of a process of its own, and its exit code is the compiler’s verdict', async () => {
    const patch = patchNamed('a build script beside an error');
    const { code, report, evaluation } = await whatif(patch);
    expect(report.why ?? []).toEqual([]);
    expect(report).toMatchObject({ verdict: patch.verdict });
    expect(evaluation).toMatchObject({ confinement: { kind: 'confined' }, way: 'mounted', doubts: [] });
    expect(code).toBe(exitCodes[patch.verdict]);
    expect(outside.reached).toEqual([]);
  });
});

const harmless = {
  name: 'a harmless file',
  files: [
    { path: 'src/lib.rs', text: 'pub mod two;\npub fn one() -> i32 {\n    two::two()\n}\n' },
    { path: 'src/two.rs', text: 'pub fn two() -> i32 {\n    2\n}\n' },
  ],
  verdict: 'clean',
} as const;

/** What a machine without namespaces looks like. */
const unconfinable = { FORERUN_SANDBOX: 'readonly' };

describe.skipIf(!hasRust)(
  `where programs cannot be confined${hasRust ? '' : ' (no rust-analyzer or no cargo)'}`,
  () => {
    test.each(['file', 'workspace'])(
      'an untrusted workspace is not judged, and the answer says why: %s scope',
      async (scope) => {
        const { code, report, evaluation } = await whatif(
          patchNamed('a build script'),
          ['--scope', scope],
          unconfinable,
        );
        expect(code).toBe(2);
        expect(report.verdict).toBe('unknown');
        expect(report.why).toEqual([
          expect.stringMatching(/rust-analyzer was not started.*not trusted.*forerun trust/),
        ]);
        expect(evaluation).toMatchObject({ confidence: 'low', confinement: { kind: 'refused' } });
        expect(outside.reached).toEqual([]);
      },
    );

    test('a person is told why, and what to do', async () => {
      const run = await runProgram(['whatif', '-', '--root', root], {
        input: patchText(crateFiles, patchNamed('a build script').files),
        env: { ...outside.env, ...unconfinable },
      });
      expect(run.stdout).toContain('unknown: no errors were seen, but their absence is not proved');
      expect(run.stdout).toContain('rust-analyzer: not started');
      expect(run.stdout).toMatch(/doubt: rust-analyzer was not started: .*not trusted.*`forerun trust /);
      expect(withoutProgress(run)).toMatchObject({ code: 2, stderr: '' });
    });

    test('a trusted workspace is judged, and the answer says that it was not confined', async () => {
      const store = new TrustStore({ env: outside.env, log: silentLog });
      store.trust(root);
      try {
        const { code, evaluation } = await whatif(harmless, [], unconfinable);
        expect(evaluation).toMatchObject({
          verdict: 'clean',
          confinement: { kind: 'not-confined', because: expect.stringContaining('FORERUN_SANDBOX') },
        });
        expect(code).toBe(0);
      } finally {
        store.revoke(root);
      }
    });
  },
);

describe.skipIf(!hasRust)(
  `a crate that is hostile on disk${hasRust ? '' : ' (no rust-analyzer or no cargo)'}`,
  () => {
    let hostile: string;
    const macro = (): readonly { path: string; text: string }[] => patchNamed('a procedural macro').files;
    beforeAll(async () => {
      hostile = await realpath(await mkdtemp('/var/tmp/forerun-hostile-'));
      const build = patchNamed('a build script').files.filter(({ path }) => path === 'build.rs');
      await writeCrate(hostile, {
        ...crateFiles,
        ...Object.fromEntries([...macro(), ...build].map((file) => [file.path, file.text])),
      });
    });
    afterAll(() => rm(hostile, { recursive: true, force: true }));

    test('preview_edit judges it in both scopes, nothing gets out, and no server survives the program', async () => {
      await using connection = await McpConnection.open({
        cwd: hostile,
        env: { ...outside.env, FORERUN_LOG: 'off' },
      });
      await connection.call('start_lsp', { root_dir: hostile, language_id: 'rust' });
      const edit = {
        file_path: join(hostile, 'src/two.rs'),
        start_line: 2,
        start_column: 5,
        end_line: 2,
        end_column: 6,
      };
      for (const scope of ['file', 'workspace']) {
        const wrong = await connection.call('preview_edit', {
          ...edit,
          new_text: '"two"',
          scope,
          timeout_ms: 120_000,
        });
        expect(wrong.json).toMatchObject({ verdict: 'broken', confinement: { kind: 'confined' } });
      }
      const right = await connection.call('preview_edit', {
        ...edit,
        new_text: '3',
        scope: 'workspace',
        timeout_ms: 120_000,
      });
      expect(right.json).toMatchObject({
        verdict: 'clean',
        confinement: { kind: 'confined' },
        confidence: 'high',
      });
      expect(outside.reached).toEqual([]);
      // Both servers carry the home directory of the run in their environment.
      const servers = (): Promise<readonly string[]> => processesMarked(outside.root);
      expect(
        (await servers()).filter((each) => each.includes('rust-analyzer')).length,
      ).toBeGreaterThanOrEqual(2);
      process.kill(connection.pid, 'SIGKILL');
      await until(async () => expect(await servers()).toEqual([]));
    });
  },
);

describe.skipIf(!hasRust)(`dependencies${hasRust ? '' : ' (no rust-analyzer or no cargo)'}`, () => {
  test('a package that is not downloaded makes the verdict unknown, and is named', async () => {
    const manifest = `${crateFiles['Cargo.toml']}\n[dependencies]\nno-such-package-forerun = "1"\n`;
    const patch = { ...harmless, files: [...harmless.files, { path: 'Cargo.toml', text: manifest }] };
    const { code, report } = await whatif(patch);
    expect(report).toMatchObject({ verdict: 'unknown' });
    expect(String(report.why)).toMatch(
      /dependencies are not downloaded \(no-such-package-forerun\); run `cargo fetch`/,
    );
    expect(code).toBe(2);
  });
});
