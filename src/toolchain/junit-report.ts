/**
 * Parses failures from a JUnit report, the format that most test runners can write.
 *
 * Invariant: malformed parts are skipped; a report never turns a successful run into a failed one.
 */

export interface JunitFailure {
  readonly name: string;
  readonly className: string;
  readonly file: string | undefined;
  /** As written in the report; runners differ in their first line number. */
  readonly line: number | undefined;
  /** The one-line reason. */
  readonly message: string;
  /** The full text, with its stack trace. */
  readonly detail: string;
}

export function junitFailures(xml: string): readonly JunitFailure[] {
  const found: JunitFailure[] = [];
  for (const match of xml.matchAll(testcasePattern)) {
    const body = match[2] ?? '';
    const outcome = outcomePattern.exec(body);
    if (!outcome) continue;
    const attributes = attributesOf(match[1] ?? '');
    const detail = textOf(outcome[3] ?? '') || textOf(systemOutPattern.exec(body)?.[1] ?? '');
    const line = Number(attributes.get('line'));
    found.push({
      name: attributes.get('name') ?? '',
      className: attributes.get('classname') ?? attributes.get('class') ?? '',
      file: attributes.get('file'),
      line: attributes.has('line') && Number.isInteger(line) ? line : undefined,
      message: attributesOf(outcome[2] ?? '').get('message') || firstLine(detail),
      detail,
    });
  }
  return found;
}

/** A passed case may be self-closing; a failed one has a body. */
const testcasePattern = /<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

const outcomePattern =
  /<(failure|error)\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>((?:<!\[CDATA\[[\s\S]*?\]\]>|[^<])*)<\/\1>)/;

const systemOutPattern = /<system-out>((?:<!\[CDATA\[[\s\S]*?\]\]>|[^<])*)<\/system-out>/;

function attributesOf(text: string): ReadonlyMap<string, string> {
  const pairs = [...text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return new Map(pairs.map(([, name = '', double, single]) => [name, decoded(double ?? single ?? '')]));
}

function textOf(content: string): string {
  return content
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((part) => (part.startsWith('<![CDATA[') ? part.slice(9, -3) : decoded(part)))
    .join('')
    .trim();
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}
