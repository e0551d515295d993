export interface Item {
  name: string;
  cents: number;
}

export function total(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.cents, 0);
}
