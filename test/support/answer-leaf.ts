/** The items of the lists in an answer that hold no list themselves, each with its place: what the parts of an answer must hold once. */

export function leavesIn(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value) || Object.keys(value).length > mostFields;
  return Object.entries(value).flatMap(([name, member]) => {
    const at = Array.isArray(value) ? `${place}[]` : `${place}.${name}`;
    const isLeaf = isList && !holdsList(member);
    return isLeaf ? [`${at} ${JSON.stringify(member)}`] : leavesIn(member, at);
  });
}

/** Objects with more members are cut like lists. */
const mostFields = 24;

function holdsList(value: unknown): boolean {
  if (typeof value === 'string') return value.length > longText;
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return Array.isArray(value) || members.length > mostFields || members.some(holdsList);
}

/** Longer texts are cut too. */
const longText = 200;
