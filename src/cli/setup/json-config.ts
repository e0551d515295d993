/**
 * Entries in JSON configurations, with or without comments and trailing commas.
 *
 * Invariant: invalid JSON is refused as a whole; valid JSON is changed only at our entry.
 */
import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { LineIndex } from '../../text/position.ts';
import { type ConfigFormat, isFields } from './entry-edit.ts';
import { insertProperty, removeProperty, setProperty } from './json-property.ts';
import { BrokenConfig } from './setup-failure.ts';

export const jsonConfig: ConfigFormat = {
  read: ({ file, key, name }, text) => holderIn(file, text, key)?.entries.get(name),

  merge({ file, key, name }, text, fields) {
    if (text === undefined || text.trim() === '') {
      return `${JSON.stringify({ [key]: { [name]: fields } }, undefined, 2)}\n`;
    }
    const holder = holderIn(file, text, key);
    const existing = holder?.entries.get(name);
    if (isFields(existing)) {
      return Object.entries(fields)
        .filter(([field, value]) => !isDeepStrictEqual(existing[field], value))
        .reduce((merged, [field, value]) => setProperty(merged, [key, name, field], value), text);
    }
    if (!holder || holder.entries.has(name)) return setProperty(text, [key, name], fields);
    return insertProperty(text, { holder: holder.node, path: [key, name] }, fields);
  },

  remove({ file, key, isOurs }, text) {
    const entries = holderIn(file, text, key)?.entries ?? [];
    const ours = [...entries].filter(([name, value]) => isOurs(name, value));
    return ours.reduce((left, [name]) => {
      const holder = holderIn(file, left, key)?.node;
      return holder ? removeProperty(left, { holder, path: [key, name] }) : left;
    }, text);
  },
};

interface Holder {
  readonly node: Node;
  readonly entries: ReadonlyMap<string, unknown>;
}

/** The object at `key` with its entries; throws if the text has another shape. */
function holderIn(file: string, text: string, key: string): Holder | undefined {
  if (text.trim() === '') return undefined;
  const root = parse(file, text);
  if (root.type !== 'object') throw new BrokenConfig(file, 'it is not a JSON object');
  const node = propertiesOf(root).get(key);
  if (node === undefined) return undefined;
  if (node.type !== 'object') throw new BrokenConfig(file, `"${key}" is not an object`);
  return {
    node,
    entries: new Map([...propertiesOf(node)].map(([name, value]) => [name, getNodeValue(value)])),
  };
}

function parse(file: string, text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root && !error) return root;
  const { line, character } = new LineIndex(text).positionAt(error?.offset ?? 0);
  const reason = error ? printParseErrorCode(error.error) : 'ValueExpected';
  throw new BrokenConfig(file, `${reason} at ${line + 1}:${character + 1}`);
}

function propertiesOf(object: Node): ReadonlyMap<string, Node> {
  const pairs = (object.children ?? []).flatMap(({ children }) => {
    const [name, value] = children ?? [];
    return name && value ? [[String(name.value), value] as const] : [];
  });
  return new Map(pairs);
}
