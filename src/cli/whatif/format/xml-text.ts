/**
 * XML, written by hand: elements with attributes and text.
 *
 * Invariant: the result is well-formed whatever the texts contain. Characters that XML 1.0 does not allow, lone
 * surrogates among them, become U+FFFD.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly children?: readonly XmlElement[];
  /** Instead of children. */
  readonly text?: string;
}

export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elementText(root, '')}`;
}

function elementText({ name, attributes = {}, children = [], text }: XmlElement, indent: string): string {
  const words = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapedAttribute(String(value))}"`,
  );
  const open = `${indent}<${name}${words.join('')}`;
  if (text !== undefined) return `${open}>${escaped(text)}</${name}>\n`;
  if (children.length === 0) return `${open}/>\n`;
  return `${open}>\n${children.map((child) => elementText(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
    .replaceAll('\r', '&#13;');
}

/** Parsers turn white space of attributes into blanks, unless it is a character reference. */
function escapedAttribute(text: string): string {
  return escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
