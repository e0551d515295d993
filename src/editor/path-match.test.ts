import { expect, test } from 'vitest';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import { bestMatches } from './path-match.ts';

const paths = [
  'src/cart.ts',
  'src/cart.test.ts',
  'src/checkout/cart-item.ts',
  'src/charts.ts',
  'docs/a-long-report.ts',
].map((path): WorkspacePath => parseWorkspacePath(path) ?? expect.unreachable(path));

test.each<[string, readonly string[]]>([
  ['cart.ts', ['src/cart.ts', 'src/cart.test.ts', 'src/checkout/cart-item.ts', 'src/charts.ts']],
  ['CART', ['src/cart.ts', 'src/cart.test.ts', 'src/checkout/cart-item.ts', 'src/charts.ts']],
  ['check/it', ['src/checkout/cart-item.ts']],
  ['zzz', []],
])('the best matches of %j', (query, expected) => {
  expect(bestMatches(paths, query, 4)).toEqual(expected);
});

test('an empty query lists as many as are wanted', () => {
  expect(bestMatches(paths, '', 2)).toHaveLength(2);
});
