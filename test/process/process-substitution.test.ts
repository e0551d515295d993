import { expect, test } from 'vitest';
import { createRepository, runRead } from '../support/shell/looked-at-repository.ts';

test('a command that ends at once loses nothing of what it prints, however often it runs', {
  timeout: 120_000,
}, async () => {
  await using scratch = await createRepository();
  const text = `awk 'NR==FNR{a[$1]=$2;next}{print $1,a[$1]}' <(sort a.txt) <(sort b.txt)`;
  const seen = new Set<string>();
  for (let round = 0; round < 120; round += 1)
    seen.add(JSON.stringify(await runRead(text, scratch, { timeoutMs: 60_000 })));
  expect(seen.size).toBe(1);
});
