/**
 * What the compilers said of trees in an earlier run on this machine: the trees of most tests are the same every time, and
 * to judge them takes a tenth of the whole suite.
 *
 * Invariant: a judgement is used again only for the same trees, compilers, Python environment and code of the judges, and
 * for a month. `npm run test:soak` asks the compilers anew.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { provisionedPrograms } from '../provisioned.ts';
import { isSoak } from '../soak.ts';
import { describeTree } from '../tree-hash.ts';
import type { Problem } from './problem.ts';

/** The problems of each tree. */
export type Judgement = ReadonlyArray<readonly Problem[]>;

const judgementSchema: z.ZodType<Judgement> = z.array(
  z.array(
    z.object({
      path: z.string(),
      line: z.number(),
      column: z.number(),
      severity: z.enum(['error', 'warning']),
      code: z.string(),
      message: z.string(),
    }),
  ),
);

const maximumAgeMs = 30 * 24 * 60 * 60 * 1000;

const judgements = join(provisionedPrograms, '..', 'judgements');

/** The judgement that is kept for these trees, or what `judge` says of them now. */
export async function keptJudgement(
  trees: unknown,
  judge: () => Promise<Judgement>,
  directory: string = judgements,
): Promise<Judgement> {
  if (isSoak()) return judge();
  await removeAged(directory);
  const file = join(directory, `${digest([JSON.stringify(trees), surroundings()])}.json`);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return judgementSchema.parse(JSON.parse(kept));
  const judgement = await judge();
  await mkdir(directory, { recursive: true });
  // Another worker may write the same at the same time.
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, JSON.stringify(judgement));
  await rename(own, file);
  return judgement;
}

/**
 * What a compiler says of a directory, wherever it lies; the records of git in it are no part of what is compiled. `asked` says
 * how the compiler is asked.
 */
export async function keptProblems(
  { directory, asked }: { readonly directory: string; readonly asked: unknown },
  judge: () => Promise<readonly Problem[]>,
): Promise<readonly Problem[]> {
  const tree = await describeTree(directory, (path) => /(?:^|\/)\.git$/.test(path));
  const [problems = []] = await keptJudgement({ tree, asked }, async () => [await judge()]);
  return problems;
}

const swept = new Map<string, Promise<void>>();

/** Once for each directory and process. */
function removeAged(directory: string): Promise<void> {
  const sweep = swept.get(directory) ?? removeOlderThan(Date.now() - maximumAgeMs, directory);
  swept.set(directory, sweep);
  return sweep;
}

async function removeOlderThan(oldestMs: number, directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const file of names.map((name) => join(directory, name))) {
    // Another worker may remove the same at the same time.
    const stats = await stat(file).catch(() => undefined);
    if (stats && stats.mtimeMs < oldestMs) await rm(file, { force: true });
  }
}

let known: string | undefined;

/** What a judgement depends on besides the trees. */
function surroundings(): string {
  known ??= digest([
    ...['pyright', 'typescript', 'typescript-server'].map(versionOf),
    process.version,
    python(),
    ...['.', '../compilers', '../merge', '../monorepo'].flatMap(sourcesIn),
  ]);
  return known;
}

function versionOf(name: string): string {
  const manifest: unknown = createRequire(import.meta.url)(`${name}/package.json`);
  return `${name} ${z.object({ version: z.string() }).parse(manifest).version}`;
}

/** The interpreter that pyright asks for its search path, and what can be imported from there. */
function python(): string {
  const script =
    'import os, sys\nprint(sys.version)\nfor p in sys.path[1:]: print(p, sorted(os.listdir(p)) if os.path.isdir(p) else "")';
  return spawnSync('python3', ['-c', script], { encoding: 'utf8' }).stdout ?? 'none';
}

function sourcesIn(folder: string): readonly string[] {
  const path = fileURLToPath(new URL(`${folder}/`, import.meta.url));
  const files = readdirSync(path).filter((name) => name.endsWith('.ts'));
  return files.sort().map((name) => readFileSync(join(path, name), 'utf8'));
}

function digest(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}
