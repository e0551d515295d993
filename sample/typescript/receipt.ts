import { type Item, total } from './cart.ts';

export function receipt(items: readonly Item[]): string {
  const lines = items.map((item) => `${item.name} ${item.cents}`);
  return [...lines, `total ${total(items).toFixed(0)}`].join('\n');
}
