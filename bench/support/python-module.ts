/** The modules of the generated workspace as Python. */
import type { Dialect, ModulePlace } from './generated-workspace.ts';

export const pythonDialect: Dialect = {
  language: 'python',
  configuration: new Map([['pyproject.toml', '[project]\nname = "generated"\nversion = "0"\n']]),
  core: {
    path: 'core/label.py',
    text: [
      '"""What every leaf calls."""',
      'from dataclasses import dataclass',
      '',
      '',
      '@dataclass(frozen=True)',
      'class Labelled:',
      '    label: str',
      '',
      '',
      'def label(value: int) -> str:',
      '    return f"#{value}"',
      '',
      '',
      'def labelled(text: str) -> Labelled:',
      '    return Labelled(text)',
      '',
    ].join('\n'),
  },
  coreParameter: {
    replaces: 'value: int',
    replacement: (round) => `value: tuple[bytes, dict[str, set[${kinds[round % kinds.length]}]]]`,
  },
  breakingValue: { replaces: '= 1000', replacement: (round) => `= "round ${round}"` },
  harmlessValue: { replacement: (round) => `= ${round + 1}` },
  pathOf: ({ layer, index }) => `layer_${layer}/module_${index}.py`,
  leafPath: (index) => `leaf/leaf_${index}.py`,
  moduleText,
  leafText: (index, imports) =>
    [
      'from core.label import Labelled, label, labelled',
      ...imports.map(importLine),
      '',
      '',
      `class Leaf${index}:`,
      '    def __init__(self, identity: int) -> None:',
      '        self._identity = identity',
      '',
      '    @property',
      '    def label(self) -> str:',
      '        return label(self._identity)',
      '',
      ...imports.flatMap((place) => [
        `    def record(self) -> Record${suffix(place)}:`,
        `        return make_${suffix(place)}(self._identity, self.label)`,
        '',
      ]),
      '    def describe(self, words: list[str]) -> Labelled:',
      '        known = [word.strip() for word in words if len(word) > 0]',
      '        return labelled(" ".join([self.label, *known]))',
      '',
      '',
      `leaf_${index} = Leaf${index}(${index})`,
      '',
    ].join('\n'),
};

const kinds = ['int', 'str', 'bytes', 'float', 'bool'] as const;

function moduleText(place: ModulePlace, imports: readonly ModulePlace[]): string {
  const own = suffix(place);
  const sources = imports.map((below, at) => ({ name: `source_${at}`, below }));
  return [
    'from dataclasses import dataclass',
    ...imports.map(importLine),
    '',
    '',
    '@dataclass(frozen=True)',
    `class Record${own}:`,
    '    identity: int',
    '    name: str',
    '    weight: int',
    '    tags: tuple[str, ...]',
    ...sources.map(({ name, below }) => `    ${name}: Record${suffix(below)} | None = None`),
    '',
    '',
    `class Store${own}:`,
    '    def __init__(self) -> None:',
    `        self._records: dict[int, Record${own}] = {}`,
    '',
    `    def add(self, record: Record${own}) -> None:`,
    '        self._records[record.identity] = record',
    '',
    `    def find(self, identity: int) -> Record${own} | None:`,
    '        return self._records.get(identity)',
    '',
    '    def weight(self) -> int:',
    '        return sum(record.weight for record in self._records.values())',
    '',
    '',
    `def make_${own}(identity: int, name: str) -> Record${own}:`,
    ...sources.map(({ name, below }) => `    ${name} = make_${suffix(below)}(identity, name)`),
    `    return Record${own}(${['identity', 'name', 'len(name)', '(name.upper(),)', ...sources.map(({ name }) => name)].join(', ')})`,
    '',
    '',
    `def total_${own}(records: list[Record${own}]) -> int:`,
    '    limit: int = 1000',
    '    return min(limit, sum(record.weight for record in records))',
    '',
  ].join('\n');
}

function importLine(place: ModulePlace): string {
  const own = suffix(place);
  return `from layer_${place.layer}.module_${place.index} import Record${own}, make_${own}`;
}

function suffix({ layer, index }: ModulePlace): string {
  return `L${layer}M${index}`;
}
