/** Lookups in the facts of a file, indexed on first use. */
import type { ImportUse } from './module-bindings.ts';
import type { ModuleFacts } from './module-facts.ts';

/** The parts that mention a key. */
export function partsMentioning(facts: ModuleFacts, key: string): readonly string[] {
  let byMention = mentionIndexes.get(facts);
  if (!byMention) {
    byMention = new Map();
    for (const [part, { mentions }] of facts.parts)
      for (const mention of mentions) push(byMention, mention, part);
    mentionIndexes.set(facts, byMention);
  }
  return byMention.get(key) ?? [];
}

/** The imports of the file with one of these names, by key. */
export function useEntriesOf(facts: ModuleFacts, names: readonly string[]): readonly UseEntry[] {
  let byName = useIndexes.get(facts);
  if (!byName) {
    byName = new Map();
    for (const entry of facts.uses) push(byName, entry[1].name, entry);
    useIndexes.set(facts, byName);
  }
  const index = byName;
  return names.flatMap((name) => index.get(name) ?? []);
}

type UseEntry = readonly [key: string, use: ImportUse];

const mentionIndexes = new WeakMap<ModuleFacts, Map<string, string[]>>();
const useIndexes = new WeakMap<ModuleFacts, Map<string, UseEntry[]>>();

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
