/** The skills as a table for a rules file. */
export interface NamedSkill {
  readonly name: string;
  readonly description: string;
}

export function skillTable(skills: readonly NamedSkill[]): string {
  const rows = skills.map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`);
  return ['| skill | what it does |', '| --- | --- |', ...rows].join('\n');
}

const longestCell = 120;

/** A description on one line, cut if the table would get too wide. */
function cell(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
  return line.length <= longestCell ? line : `${line.slice(0, longestCell - 1).trimEnd()}…`;
}
