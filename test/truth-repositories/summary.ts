/**
 * Puts the JSON of several runs together as the text of `bench/truth.md`.
 *
 *     npx tsx test/truth-repositories/summary.ts run-1.json run-2.json … > bench/truth.md
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { renderTruth } from './judge-report.ts';

const run = z.object({
  header: z.object({ repository: z.string(), commit: z.string(), language: z.string(), seed: z.number() }),
  judged: z.array(
    z.object({
      outcome: z.enum(['exact', 'unread', 'honest', 'false-clean', 'false-high', 'invented']),
      compilerMs: z.number(),
      change: z.object({ kind: z.string() }),
      answer: z.object({ durationMs: z.number() }),
    }),
  ),
});

const runs = process.argv.slice(2).map((path) => run.parse(JSON.parse(readFileSync(path, 'utf8'))));
console.log(renderTruth(runs));
