/** The tests of one shape: changes of many kinds that its sources offer, each judged by one warm process and by the compiler. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uncontradicted } from '../../truth-repositories/comparison.ts';
import { WarmForerun } from '../../truth-repositories/forerun-answer.ts';
import { judgedLanguages } from '../../truth-repositories/judged-language.ts';
import { Judge, type JudgedChange } from '../../truth-repositories/judgement.ts';
import { RepositoryCopy } from '../../truth-repositories/repository-copy.ts';
import { type ChangeKind, drawChanges } from '../changes/change.ts';
import { sourcesOf } from '../changes/sources.ts';
import { typescriptKinds } from '../changes/typescript/kinds.ts';
import { SeededRandom } from '../seeded-random.ts';
import { rounds } from '../soak.ts';
import { calm } from '../world.ts';
import { type GeneratedMonorepo, MonorepoDirectory } from './generated-monorepo.ts';
import { buildMonorepo, MonorepoCompiler } from './monorepo-compiler.ts';

const seed = Number(process.env.FORERUN_MONOREPO_SEED ?? '1');
const count = Number(process.env.FORERUN_MONOREPO_CHANGES ?? rounds({ everyRun: 8, soak: 24 }));

/** How many of a hundred answers must be exact; the others say themselves that they may not be, as over a file of no project. */
const exactPercent = 70;

export function tryMonorepo(monorepo: GeneratedMonorepo): void {
  describe(monorepo.shape, () => {
    const sources = sourcesOf(monorepo.files);
    const changes = drawChanges(kindsFor(monorepo), sources, { seed, count });
    const judged: JudgedChange[] = [];
    const held = new AsyncHolder();
    let judge: Judge;

    beforeAll(async () => {
      const directory = held.take(await MonorepoDirectory.write(monorepo));
      await buildMonorepo(directory, monorepo, calm);
      const copy = held.take(await RepositoryCopy.of(directory.root));
      const options = { root: directory.root, timeoutMs: 100_000, trust: 'untrusted' } as const;
      const forerun = held.take(new WarmForerun(options));
      const compiler = new MonorepoCompiler(copy.root, monorepo);
      const { typescript: language } = judgedLanguages;
      if (language === undefined) throw new Error('the judge knows no TypeScript');
      judge = await Judge.open({ language, compiler, copy, forerun, sources }, calm);
    });
    afterAll(() => held[Symbol.asyncDispose]());

    test.each(changes.map((change) => [change.kind, change.sentence, change] as const))(
      '%s: %s',
      async (_, __, change) => {
        const answer = await judge.judge(change, await judge.compile(change, calm), calm);
        judged.push(answer);
        expect(uncontradicted, describeAnswer(answer)).toContain(answer.outcome);
      },
    );

    test('most answers are exact', () => {
      const exact = judged.filter(({ outcome }) => outcome === 'exact').length;
      expect(exact * 100, judged.map(summaryOf).join('\n')).toBeGreaterThanOrEqual(
        judged.length * (monorepo.exactPercent ?? exactPercent),
      );
    });
  });
}

/** The kinds in an order of the shape's own: a few changes of each shape are together changes of every kind. */
function kindsFor({ shape }: GeneratedMonorepo): readonly ChangeKind[] {
  const random = new SeededRandom(seed * 1000 + shape.length);
  const drawn = typescriptKinds.map((kind) => ({ kind, place: random.below(1_000_000) }));
  return drawn.sort((a, b) => a.place - b.place).map(({ kind }) => kind);
}

/** What was opened first is closed last. */
class AsyncHolder implements AsyncDisposable {
  readonly #held: AsyncDisposable[] = [];

  take<T extends AsyncDisposable>(opened: T): T {
    this.#held.unshift(opened);
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#held) await opened[Symbol.asyncDispose]();
  }
}

function describeAnswer({ outcome, answer, missed, invented, neverThere }: JudgedChange): string {
  const { verdict, confidence, doubts, patch } = answer;
  const facts = { outcome, verdict, confidence, doubts, missed, invented, neverThere };
  return `${JSON.stringify(facts, undefined, 2)}\n${patch}`;
}

function summaryOf({ change, outcome, answer }: JudgedChange): string {
  return `${outcome} (${answer.verdict}, ${answer.confidence}) ${change.kind}: ${answer.doubts.join(' ')}`;
}
