/**
 * Judges Forerun on a real checkout: generated changes, the compiler on a copy before and after, Forerun on the checkout.
 *
 *     npx tsx test/truth-repositories/run.ts <checkout> [--language typescript] [--changes 40] [--seed 1] [--kinds a,b]
 *         [--json out.json] [--timeout 120000] [--trust untrusted] [--minutes 30]
 *
 * The minutes begin when both sides are warm. Exits with 1 where a `clean` or a `high` was contradicted.
 */
import { execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { type Change, drawChanges } from '../support/changes/change.ts';
import { type Sources, sourcesIn, sourcesWhere } from '../support/changes/sources.ts';
import type { WorkspaceCompiler } from '../support/compilers/report.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { uncontradicted } from './comparison.ts';
import { WarmForerun } from './forerun-answer.ts';
import { type RunHeader, renderChange, renderTruth } from './judge-report.ts';
import { type JudgedLanguage, judgedLanguages } from './judged-language.ts';
import { Judge, type JudgedChange } from './judgement.ts';
import { RepositoryCopy } from './repository-copy.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', default: 'typescript' },
    changes: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string' },
    json: { type: 'string' },
    timeout: { type: 'string', default: '120000' },
    trust: { type: 'string', default: 'trusted' },
    minutes: { type: 'string', default: '600' },
  },
});

const language = judgedLanguages[values.language];
const [directory] = positionals;
if (!language || directory === undefined) {
  console.error(`usage: run.ts <checkout> --language ${Object.keys(judgedLanguages).join('|')}`);
  process.exit(64);
}

/** One change in this many may be at a place that the compiler does not read: there the right answer is that it is not known. */
const unreadEvery = 40;

const checkout = realpathSync(directory);
const header: RunHeader = {
  repository: basename(checkout),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim(),
  language: values.language,
  seed: Number(values.seed),
};
const sources = sourcesIn(checkout);
const judged = await judgeAll();
console.log(renderTruth([{ header, judged }]));
process.exitCode = judged.some(({ outcome }) => !uncontradicted.includes(outcome)) ? 1 : 0;

/** One in so many, also over several runs that are shorter than that: what is left of the division is drawn. */
function unreadAllowed(count: number, seed: number): number {
  const isDrawn = new SeededRandom(seed).below(unreadEvery) < count % unreadEvery;
  return Math.floor(count / unreadEvery) + (isDrawn ? 1 : 0);
}

/** Of sources that no project checks the compiler says nothing, and the right answer is that it is not known: few are kept. */
function mostlyChecked({ members }: WorkspaceCompiler, { sourceFile }: JudgedLanguage): Sources {
  if (!members) return sources;
  const unchecked = sources.paths.filter((path) => sourceFile.test(path) && !members.has(path));
  const step = Math.ceil(unchecked.length / (members.size / 50));
  const left = new Set(unchecked.filter((_, place) => place % step !== step - 1));
  return sourcesWhere(sources, (path) => !left.has(path));
}

/** The kinds shuffled, one change of each before the second of any: a run that is ended early has seen kinds of every sort. */
function inKindOrder(changes: readonly Change[], seed: number): readonly Change[] {
  const random = new SeededRandom(seed);
  const byKind = new Map<string, Change[]>();
  for (const change of changes) byKind.set(change.kind, [...(byKind.get(change.kind) ?? []), change]);
  const queues = [...byKind.values()].map((queue) => ({ queue, rank: random.below(2 ** 30) }));
  const ordered = queues.sort((a, b) => a.rank - b.rank).map(({ queue }) => queue);
  const rounds = Math.max(0, ...ordered.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => ordered.flatMap((queue) => queue[round] ?? [])).flat();
}

/** After every change, so that a run that is ended early keeps what it found. */
function save(judged: readonly JudgedChange[]): void {
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ header, judged }, undefined, 1));
}

async function judgeAll(): Promise<readonly JudgedChange[]> {
  const done: JudgedChange[] = [];
  if (!language) return done;
  const { signal } = new AbortController();
  await using copy = await RepositoryCopy.of(checkout);
  const compiler = await language.open(copy.root, checkout);
  const trust = values.trust === 'untrusted' ? 'untrusted' : 'trusted';
  await using forerun = new WarmForerun({ root: checkout, timeoutMs: Number(values.timeout), trust });
  const judge = await Judge.open({ language, compiler, copy, forerun, sources }, signal);
  const only = values.kinds?.split(',');
  const { seed } = header;
  const count = Number(values.changes);
  // Twice as many as are judged: places that the compiler does not read are passed over.
  const drawn = { seed, count: 2 * Math.max(count, language.kinds.length), ...(only && { only }) };
  const changes = inKindOrder(drawChanges(language.kinds, mostlyChecked(compiler, language), drawn), seed);
  console.error(`${header.repository}: ${judge.problemsBefore} problems before, ${changes.length} changes`);
  let unreadLeft = unreadAllowed(count, seed);
  // The first answer waits for the servers to start and to read the checkout; what is judged is a warm process.
  const [first] = changes;
  if (first) await forerun.ask(first, signal);
  const end = performance.now() + Number(values.minutes) * 60_000;
  for (const change of changes) {
    if (performance.now() > end || done.length === count) break;
    const compiled = await judge.compile(change, signal);
    if (!(await judge.isReadPlace(change, signal)) && unreadLeft-- <= 0) continue;
    const each = await judge.judge(change, compiled, signal);
    done.push(each);
    save(done);
    const { verdict, confidence, durationMs } = each.answer;
    console.error(
      `${done.length} ${each.outcome} ${change.kind}: ${verdict} ${confidence}, ${durationMs} ms against ${each.compilerMs} ms`,
    );
    if (each.outcome !== 'exact') console.log(renderChange(header, each));
  }
  return done;
}
