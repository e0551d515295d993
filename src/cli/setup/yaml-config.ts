/**
 * Entries in YAML configurations, edited as text so that comments and layout are kept.
 *
 * Invariant: the edited text is parsed again and must have the intended value; otherwise nothing is changed.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type ConfigFormat, type Fields, isFields } from './entry-edit.ts';
import { BrokenConfig, UneditableConfig } from './setup-failure.ts';

/** A map from names to servers. */
export const yamlConfig: ConfigFormat = yamlFormat({
  find: (servers, name) => (isMap(servers) ? servers.items.find((item) => nameOf(item) === name) : undefined),
  named: (item) => (isPair(item) ? [nameOf(item) ?? '', item.value] : ['', item]),
  written: (name, fields) => ({ [name]: fields }),
  empty: {},
});

/** A list of servers, each with its name in it. */
export const yamlListConfig: ConfigFormat = yamlFormat({
  find: (servers, name) =>
    isSeq(servers) ? servers.items.find((item) => isMap(item) && item.get('name') === name) : undefined,
  named: (item) => [isMap(item) ? String(item.get('name')) : '', item],
  written: (_name, fields) => [fields],
  empty: [],
});

/** What differs between the two forms. */
interface ServerForm {
  /** The item of a server in the collection of servers. */
  find(servers: unknown, name: string): unknown;
  named(item: unknown): readonly [name: string, entry: unknown];
  /** The collection with one server in it. */
  written(name: string, fields: Fields): object;
  readonly empty: object;
}

function yamlFormat(form: ServerForm): ConfigFormat {
  return {
    read({ file, key, name }, text) {
      const item = form.find(read(file, text).get(key), name);
      return item === undefined ? undefined : plainValue(form.named(item)[1]);
    },

    merge({ file, key, name }, text, fields) {
      const before = text ?? '';
      const document = read(file, before);
      const servers = document.get(key);
      const item = form.find(servers, name);
      const existing = item === undefined ? undefined : plainValue(form.named(item)[1]);
      const meant = { ...(isFields(existing) ? existing : {}), ...fields };
      if (isDeepStrictEqual(existing, meant)) return before;
      const block = stringify({ [key]: form.written(name, meant) });
      const whole: unknown = document.toJS() ?? {};
      const after =
        item === undefined
          ? added(before, { key, servers, block, entry: stringify(form.written(name, meant)) })
          : replaced(before, item, fields);
      const intended = withServer(whole, key, { form, name, meant });
      return proved({ file, key, remedy: `Add this by hand:\n${block}` }, after, intended);
    },

    remove({ file, key, isOurs }, text) {
      const names = namesIn(form, read(file, text).get(key), isOurs);
      return names.reduce((left, name) => removed(file, left, { key, form, name }), text);
    },
  };
}

function namesIn(
  form: ServerForm,
  servers: unknown,
  isOurs: (name: string, entry: unknown) => boolean,
): readonly string[] {
  const items: readonly unknown[] = isCollection(servers) ? servers.items : [];
  return items
    .map((item) => form.named(item))
    .filter(([name, entry]) => isOurs(name, plainValue(entry)))
    .map(([name]) => name);
}

/** Adds the servers as a whole, or one more after the last. Undefined for a layout that is not edited. */
function added(
  text: string,
  { key, servers, block, entry }: { key: string; servers: unknown; block: string; entry: string },
): string | undefined {
  const eol = eolOf(text);
  if (servers === undefined || servers === null) {
    const line = new RegExp(`^${escaped(key)}:[ \\t]*(?:#.*)?$`, 'm').exec(text);
    if (line) return inserted(text, line.index + line[0].length, indented(entry, '  '), eol);
    const gap = text === '' || text.endsWith('\n') ? '' : eol;
    return `${text}${gap}${block.replaceAll('\n', eol)}`;
  }
  if (!isCollection(servers) || servers.flow === true) return undefined;
  const [first, last] = [servers.items[0], servers.items.at(-1)];
  const [start, end] = [startOf(first), endOf(last)];
  if (start === undefined || end === undefined) return undefined;
  return inserted(text, end, indented(entry, indentAt(text, start)), eol);
}

/** Sets fields of an entry; what else is in it stays, comments too. */
function replaced(text: string, item: unknown, fields: Fields): string | undefined {
  const map = isPair(item) ? item.value : item;
  const [start, end] = [startOf(isMap(map) ? map.items[0] : undefined), endOf(item)];
  if (!isMap(map) || map.flow === true || start === undefined || end === undefined) return undefined;
  for (const [name, value] of Object.entries(fields)) map.set(name, value);
  // A comment below the last value is outside the replaced text and stays there.
  map.comment = null;
  const lines = new Document(map).toString().trimEnd();
  // The first line keeps what is before it: the dash of a list, or the indentation.
  const [first = '', ...rest] = lines.split('\n');
  const indent = ' '.repeat(start - lineStart(text, start));
  const eol = eolOf(text);
  const whole = [first, ...rest.map((line) => (line === '' ? line : indent + line))].join(eol);
  return text.slice(0, start) + whole + text.slice(lineEnd(text, end));
}

function removed(
  file: string,
  text: string,
  { key, form, name }: { readonly key: string; readonly form: ServerForm; readonly name: string },
): string {
  const document = read(file, text);
  const servers = document.get(key);
  const item = form.find(servers, name);
  const rest = withoutServer(document.toJS(), key, { form, name });
  const isLast = !(key in rest);
  // Servers that only our entry implied are removed with it: an empty key would be no collection.
  const region = isLast ? document.contents : servers;
  const gone = isLast && isMap(region) ? region.items.find((pair) => nameOf(pair) === key) : item;
  const [start, end] = [startOf(gone), endOf(gone)];
  const remedy = `Remove ${name} from "${key}" by hand.`;
  const left =
    start === undefined || end === undefined
      ? undefined
      : text.slice(0, lineStart(text, start)) + text.slice(nextLine(text, end));
  return proved({ file, key, remedy }, left, rest);
}

function withServer(
  whole: unknown,
  key: string,
  { form, name, meant }: { readonly form: ServerForm; readonly name: string; readonly meant: Fields },
): Fields {
  const fields = isFields(whole) ? whole : {};
  const servers = fields[key] ?? form.empty;
  if (!Array.isArray(servers)) return { ...fields, [key]: { ...Object(servers), [name]: meant } };
  const at = servers.findIndex((each) => isFields(each) && each.name === name);
  const list = at < 0 ? [...servers, meant] : servers.map((each, index) => (index === at ? meant : each));
  return { ...fields, [key]: list };
}

function withoutServer(
  whole: unknown,
  key: string,
  { form, name }: { readonly form: ServerForm; readonly name: string },
): Fields {
  const { [key]: servers, ...others } = isFields(whole) ? whole : {};
  const rest = Array.isArray(form.empty)
    ? Object(servers).filter((each: unknown) => !(isFields(each) && each.name === name))
    : Object.fromEntries(Object.entries(Object(servers)).filter(([each]) => each !== name));
  return Object.keys(rest).length === 0 ? others : { ...others, [key]: rest };
}

/** Throws if the edited text does not have the intended value. */
function proved(
  { file, key, remedy }: { readonly file: string; readonly key: string; readonly remedy: string },
  text: string | undefined,
  intended: Fields,
): string {
  if (text !== undefined) {
    const documents = parseAllDocuments(text);
    const [document] = documents;
    const value: unknown = document === undefined ? undefined : document.toJS();
    const isSound = documents.length <= 1 && (document?.errors.length ?? 0) === 0;
    if (isSound && isDeepStrictEqual(value ?? {}, intended)) return text;
  }
  throw new UneditableConfig(file, `"${key}" is written in a form this command does not edit.`, remedy);
}

function read(file: string, text: string): Document {
  const [document, ...more] = parseAllDocuments(text);
  if (document === undefined) return new Document({});
  if (more.length > 0) throw new BrokenConfig(file, 'it holds several documents');
  const [error] = document.errors;
  if (error) throw new BrokenConfig(file, error.message.split('\n')[0] ?? error.code);
  if (document.contents === null) return new Document({});
  if (!isMap(document.contents)) throw new BrokenConfig(file, 'it is not a YAML map');
  return new Document(document.contents);
}

function plainValue(node: unknown): unknown {
  if (!isNode(node)) return node ?? undefined;
  const value: unknown = new Document(node).toJS();
  return value ?? undefined;
}

function isNode(value: unknown): value is Node {
  return isCollection(value) || isScalar(value);
}

function nameOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

/** The offset of the first character of a pair or node. */
function startOf(item: unknown): number | undefined {
  if (isPair(item)) return startOf(item.key);
  if (isCollection(item) && item.flow !== true) return startOf(item.items[0]) ?? item.range?.[0];
  return isNode(item) ? item.range?.[0] : undefined;
}

/** The offset after the last value in a pair or node; a comment that follows is not counted. */
function endOf(item: unknown): number | undefined {
  if (isPair(item)) return endOf(item.value) ?? endOf(item.key);
  if (isCollection(item) && item.flow !== true) return endOf(lastOf(item)) ?? item.range?.[1];
  return isNode(item) ? item.range?.[1] : undefined;
}

function lastOf({ items }: YAMLMap | YAMLSeq): unknown {
  return items.at(-1);
}

/** Puts lines after the line of an offset. */
function inserted(text: string, offset: number, lines: string, eol: string): string {
  const place = nextLine(text, offset);
  const gap = place === 0 || text[place - 1] === '\n' ? '' : eol;
  return text.slice(0, place) + gap + lines.replaceAll('\n', eol) + text.slice(place);
}

function indented(block: string, indent: string): string {
  return block.replace(/^(?=.)/gm, indent);
}

/** The indentation of the line of an offset, the dash of a list not included. */
function indentAt(text: string, offset: number): string {
  return /^ */.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The end of the line of an offset, its break not included; a block text ends with its own break. */
function lineEnd(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return text[offset - 2] === '\r' ? offset - 2 : offset - 1;
  const at = /\r?\n|$/.exec(text.slice(offset));
  return offset + (at?.index ?? 0);
}

function nextLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
