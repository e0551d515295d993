/** The same eight changes, judged by the real server of every language that is on this machine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveFile } from '../../src/overlay/overlay.ts';
import type { Session } from '../../src/session/session.ts';
import { type LanguageCase, languageCases, type Step } from '../support/language-case.ts';
import { isOnPath } from '../support/on-path.ts';
import { calm, World } from '../support/world.ts';

for (const language of languageCases) {
  const isPresent = language.binary === undefined || isOnPath(language.binary);
  describe.skipIf(!isPresent)(`${language.language}${isPresent ? '' : ` (no ${language.binary})`}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await World.open(language.files);
    });
    afterAll(() => world?.[Symbol.asyncDispose]());
    check(language, () => world);
  });
}

function check(language: LanguageCase, open: () => World): void {
  const after = async (...steps: Step[]): Promise<Session> => {
    const session = await open().session(language.language);
    for (const { path, ...step } of steps) await open().replace(session, path, step);
    return session;
  };
  const withFile = async (text: string): Promise<Session> => {
    const { path, use } = language.create;
    const session = await open().session(language.language);
    await session.transform(async (overlay) => overlay.writeText(open().workspace.path(path), text), calm);
    const { path: user, ...step } = use;
    await open().replace(session, user, step);
    return session;
  };
  const errorFiles = (findings: Awaited<ReturnType<World['evaluate']>>['introduced']) => [
    ...new Set(findings.filter(({ diagnostic }) => diagnostic.severity === 'error').map(({ path }) => path)),
  ];
  const nothing = { introduced: [], resolved: [], confidence: 'high' };

  test('a breaking edit is broken in its own file, in both scopes', async () => {
    const session = await after(language.breaking);
    for (const scope of ['file', 'workspace'] as const) {
      const evaluation = await open().evaluate(session, scope);
      expect(errorFiles(evaluation.introduced)).toEqual([language.breaking.path]);
      expect(evaluation).toMatchObject({ confidence: 'high', timedOut: false });
    }
  });

  test('a mended error is resolved', async () => {
    const evaluation = await open().evaluate(await after(language.mend), 'workspace');
    expect(evaluation).toMatchObject({ introduced: [], netDelta: -1, confidence: 'high' });
    expect(evaluation.resolved.map(({ path }) => path)).toEqual([language.mend.path]);
  });

  test('an error that only moves is unchanged', async () => {
    const session = await after(language.move);
    expect(await open().evaluate(session)).toMatchObject({
      ...nothing,
      confidence: language.cleanInFileScope,
    });
    expect(await open().evaluate(session, 'workspace')).toMatchObject(nothing);
  });

  test.each(['removeExport', 'changeSignature'] as const)(
    '%s breaks the file that depends on it',
    async (change) => {
      const session = await after(language[change]);
      expect(errorFiles((await open().evaluate(session)).introduced)).toEqual([]);
      const whole = await open().evaluate(session, 'workspace');
      expect(errorFiles(whole.introduced)).toEqual([language.dependent]);
      expect(whole.confidence).toBe('high');
    },
  );

  test('a new file is seen by the file that uses it, right or wrong', async () => {
    const right = await open().evaluate(await withFile(language.create.right), 'workspace');
    expect(right).toMatchObject(nothing);
    const wrong = await open().evaluate(await withFile(language.create.wrong), 'workspace');
    expect(errorFiles(wrong.introduced)).toEqual([language.create.use.path]);
  });

  test('a deleted file breaks what used it', async () => {
    const session = await open().session(language.language);
    await session.transform(async (overlay) => overlay.remove(open().workspace.path(language.remove)), calm);
    const whole = await open().evaluate(session, 'workspace');
    expect(errorFiles(whole.introduced)).toContain(language.declaredIn ?? language.dependent);
    expect(whole.confidence).toBe('high');
  });

  test('a renamed file breaks what used it by the old name', async () => {
    const { from, to } = language.rename;
    const session = await open().session(language.language);
    const { workspace } = open();
    await session.transform((overlay) => moveFile(overlay, workspace.path(from), workspace.path(to)), calm);
    const whole = await open().evaluate(session, 'workspace');
    expect(errorFiles(whole.introduced)).toContain(language.declaredIn ?? language.dependent);
  });

  test('nothing of all this reached the disk', async () => {
    for (const [path, text] of Object.entries(language.files)) expect(await open().read(path)).toBe(text);
  });
}
