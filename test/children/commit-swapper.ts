/**
 * Swaps directories of a tree for links to directories outside, and back, at random moments. It starts with a line
 * `go` on its input and ends with `pause`, which it answers with the number of swaps once the tree is as it was.
 */
import { lstatSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [root = '', outside = '', seed = '1', ...directories] = process.argv.slice(2);
let state = Number(seed);
let isGoing = false;
let swaps = 0;

for await (const line of createInterface({ input: process.stdin })) {
  isGoing = line === 'go';
  if (isGoing) setImmediate(turn);
  else process.stdout.write(`${swaps}\n`);
}

function turn(): void {
  if (!isGoing) return;
  spin(2_500_000);
  const name = directories[random(directories.length)];
  if (name !== undefined) swap(name);
  setImmediate(turn);
}

function swap(name: string): void {
  const [place, away] = [`${root}/${name}`, `${root}/${name.replaceAll('/', '-')}.away`];
  renameSync(place, away);
  insist(() => symlinkSync(`${outside}/${name}`, place));
  spin(1_000_000);
  insist(() => {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(place);
    renameSync(away, place);
  });
  swaps += 1;
}

/** A commit may make the directory that is missing for a moment, and takes it back; the call is repeated until it has. */
function insist(call: () => void): void {
  const end = process.hrtime.bigint() + 60_000_000_000n;
  for (;;) {
    try {
      call();
      return;
    } catch (thrown) {
      if (process.hrtime.bigint() > end) throw thrown;
    }
  }
}

/** A linear congruential generator: the same seed, the same swaps. */
function random(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
}

function spin(longestNs: number): void {
  const end = process.hrtime.bigint() + BigInt(random(longestNs));
  while (process.hrtime.bigint() < end);
}
