import { expect, test } from 'vitest';
import { MemorySource, workspacePath } from '../../test/support/memory-source.ts';
import { Overlay } from '../overlay/overlay.ts';
import { collidingChange } from './colliding-change.ts';

test('the declaration of a name is named before lines that use it, though they changed with it', async () => {
  const before = new MemorySource({
    'api.ts': 'const due = total(items);\n',
    'cart.ts': '\nexport function total(items: Item[]): number {\n',
  });
  const changes = await Overlay.on(before)
    .write(workspacePath('api.ts'), { kind: 'text', text: 'const due = Number(total(items));\n' })
    .write(workspacePath('cart.ts'), {
      kind: 'text',
      text: '\nexport function total(items: Item[]): string {\n',
    })
    .changes();
  const start = { line: 0, character: 7 };
  const message = 'The left-hand side of an arithmetic operation must be of type any.';
  const finding = {
    path: workspacePath('discount.ts'),
    diagnostic: { range: { start, end: start }, severity: 'error', message },
  } as const;
  expect(collidingChange(changes, { finding, text: 'return total(items) * 0.1;\n' })).toEqual({
    path: 'cart.ts',
    line: 1,
    text: 'export function total(items: Item[]): string {',
  });
});
