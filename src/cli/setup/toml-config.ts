/**
 * Entries in TOML configurations, edited as text so that comments and layout are kept.
 *
 * Invariant: the edited text is parsed again and must have the intended value; otherwise nothing is changed.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError, type TomlTable } from 'smol-toml';
import { messageOf } from '../../base/failure.ts';
import type { ConfigFormat, Fields } from './entry-edit.ts';
import { BrokenConfig, UneditableConfig } from './setup-failure.ts';

export const tomlConfig: ConfigFormat = {
  read: ({ file, key, name }, text) => tableOf(read(file, text)[key])[name],

  merge({ file, key, name }, text, fields) {
    const before = text ?? '';
    const whole = read(file, before);
    const servers = tableOf(whole[key]);
    const meant = { ...tableOf(servers[name]), ...fields };
    if (isDeepStrictEqual(plain(servers[name]), plain(meant))) return before;
    const eol = before.includes('\r\n') ? '\r\n' : '\n';
    const section = [`[${key}.${name}]`, ...assignments(fields)];
    const merged =
      name in servers ? replaced(before, [key, name], { fields, eol }) : appended(before, section, eol);
    const remedy = `Add this by hand:\n${section.join('\n')}\n`;
    return proved({ file, key, remedy }, merged, { ...whole, [key]: { ...servers, [name]: meant } });
  },

  remove({ file, key, isOurs }, text) {
    const whole = read(file, text);
    const servers = tableOf(whole[key]);
    const ours = Object.keys(servers).filter((name) => isOurs(name, servers[name]));
    if (ours.length === 0) return text;
    const kept = sectionsOf(text).filter(({ path }) => !(path[0] === key && ours.includes(path[1] ?? '')));
    // The blank line before our table is removed with it.
    const left = kept
      .map((section) => section.text)
      .join('')
      .replace(/(\r?\n)(\r?\n)+$/, '$1');
    const rest = Object.fromEntries(Object.entries(servers).filter(([name]) => !ours.includes(name)));
    // A table of servers that only our entry implied is removed with it.
    const isImplied = Object.keys(rest).length === 0 && !(isToml(left) && key in parse(left));
    const { [key]: _, ...others } = whole;
    const remedy = `Remove ${ours.join(' and ')} from "${key}" by hand.`;
    return proved({ file, key, remedy }, left, isImplied ? others : { ...others, [key]: rest });
  },
};

/** The lines from one table header to the next; the first section has no header. */
interface Section {
  readonly path: readonly string[];
  readonly text: string;
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { path: readonly string[]; text: string }[] = [{ path: [], text: '' }];
  for (const statement of statementsOf(text)) {
    if (statement.trimStart().startsWith('['))
      sections.push({ path: headerPath(statement), text: statement });
    else {
      const current = sections.at(-1);
      if (current) current.text += statement;
    }
  }
  return sections;
}

/** The shortest runs of lines that are valid TOML: a header, an assignment, a comment. */
function statementsOf(text: string): readonly string[] {
  const statements: string[] = [];
  let open = '';
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    open += line;
    if (!isToml(open)) continue;
    statements.push(open);
    open = '';
  }
  return open === '' ? statements : [...statements, open];
}

function headerPath(statement: string): readonly string[] {
  const path: string[] = [];
  let node: unknown = parse(statement);
  for (;;) {
    const [name] = Object.keys(tableOf(node));
    if (name === undefined) return path;
    path.push(name);
    node = tableOf(node)[name];
  }
}

function appended(text: string, section: readonly string[], eol: string): string {
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text}${gap}${section.join(eol)}${eol}`;
}

/** Rewrites our fields of an existing table in place, and adds missing ones after its header. */
function replaced(
  text: string,
  path: readonly string[],
  { fields, eol }: { readonly fields: Fields; readonly eol: string },
): string {
  return sectionsOf(text)
    .map((section) =>
      isDeepStrictEqual(section.path, path) ? withFields(section.text, fields, eol) : section.text,
    )
    .join('');
}

function withFields(section: string, fields: Fields, eol: string): string {
  const [header = '', ...statements] = statementsOf(section);
  const missing = new Set(Object.keys(fields));
  const body = statements.map((statement) => {
    const [field] = Object.keys(parse(statement));
    if (field === undefined || !(field in fields)) return statement;
    missing.delete(field);
    return `${assignments({ [field]: fields[field] }).join(eol)}${eol}`;
  });
  const added = assignments(Object.fromEntries([...missing].map((field) => [field, fields[field]])));
  return [header, ...added.map((line) => line + eol), ...body].join('');
}

function assignments(fields: Fields): readonly string[] {
  return stringify(fields)
    .split('\n')
    .filter((line) => line !== '');
}

/** Throws if the edited text does not have the intended value. */
function proved(
  { file, key, remedy }: { readonly file: string; readonly key: string; readonly remedy: string },
  text: string,
  meant: Readonly<Record<string, unknown>>,
): string {
  if (isToml(text) && isDeepStrictEqual(plain(parse(text)), plain(meant))) return text;
  throw new UneditableConfig(file, `"${key}" is written in a form this command does not edit.`, remedy);
}

function read(file: string, text: string): TomlTable {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    const [reason = ''] = messageOf(thrown).split('\n');
    throw new BrokenConfig(file, `${reason} at ${thrown.line}:${thrown.column}`, { cause: thrown });
  }
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Without prototypes, in which parsed and constructed tables differ. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
