/**
 * Three packages, each using the ones before it: `core`, `geometry` and `app`. They hold one of each thing that a change can be
 * made to: an interface, a type alias, an enum, a generic class with a private member, a default export, overloads, a barrel, a
 * namespace export and types that are inferred from another package.
 *
 * Invariant: the only error is the one that `app/flaw.ts` announces.
 */
import type { WorkspaceFiles } from '../truth/workspace-files.ts';

/** How modules of one shape name each other. */
export interface Naming {
  /** What a relative specifier ends in. */
  readonly extension: '' | '.js' | '.ts';
  /** The specifier of another package, `core` or `geometry`. */
  readonly packageNamed: (name: string) => string;
}

/** The sources of one package by their path in its source directory. */
export function packageSources(name: 'core' | 'geometry' | 'app', naming: Naming): WorkspaceFiles {
  const own = (module: string): string => `./${module}${naming.extension}`;
  const core = naming.packageNamed('core');
  const geometry = naming.packageNamed('geometry');
  switch (name) {
    case 'core':
      return coreSources(own);
    case 'geometry':
      return geometrySources(own, core);
    case 'app':
      return appSources(own, core, geometry);
  }
}

type Own = (module: string) => string;

function coreSources(own: Own): WorkspaceFiles {
  return {
    'point.ts': `export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Named<T> = T & { readonly name: string };

export function point(x: number, y: number): Point {
  const rounded = { x: Math.round(x), y: Math.round(y) };
  return rounded;
}

export const origin = point(0, 0);
`,
    'colour.ts': `export enum Colour {
  red,
  green,
  blue,
}

export const colourNames: Record<Colour, string> = {
  [Colour.red]: 'red',
  [Colour.green]: 'green',
  [Colour.blue]: 'blue',
};
`,
    'box.ts': `export class Box<T> {
  private item?: T;
  readonly #limit: number;
  protected opened = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  put(item: T): this {
    if (this.opened < this.#limit) this.item = item;
    return this;
  }

  take(): T | undefined {
    this.opened += 1;
    return this.item;
  }
}
`,
    'label.ts': `import { type Named, type Point } from '${own('point')}';

export default function label(value: Named<Point>): string {
  const place = [value.x, value.y].join(', ');
  return value.name + ' at ' + place;
}
`,
    'index.ts': `export { Box } from '${own('box')}';
export { Colour, colourNames } from '${own('colour')}';
export { default as label } from '${own('label')}';
export * from '${own('point')}';
`,
  };
}

function geometrySources(own: Own, core: string): WorkspaceFiles {
  return {
    'circle.ts': `import { type Named, origin, type Point, point } from '${core}';

export interface Circle {
  readonly kind: 'circle';
  readonly centre: Point;
  readonly radius: number;
}

export function circle(radius: number, centre: Point = origin): Circle {
  return { kind: 'circle', centre, radius };
}

export const named = (name: string): Named<Point> => ({ ...point(1, 2), name });
`,
    'square.ts': `import { Box, type Point } from '${core}';

export interface Square {
  readonly kind: 'square';
  readonly corner: Point;
  readonly side: number;
}

export class Squares extends Box<Square> {
  count(): number {
    return this.opened;
  }
}
`,
    'area.ts': `import type { Circle } from '${own('circle')}';
import type { Square } from '${own('square')}';

export type Shape = Circle | Square;

export function area(shape: Shape): number {
  switch (shape.kind) {
    case 'circle':
      return Math.PI * shape.radius ** 2;
    case 'square':
      return shape.side ** 2;
  }
}

export const areas = (shapes: readonly Shape[]) => shapes.map((shape) => ({ shape, size: area(shape) }));
`,
    'measure.ts': `export function measure(text: string): number;
export function measure(count: number): number;
export function measure(value: string | number): number {
  return typeof value === 'string' ? value.length : value;
}
`,
    'index.ts': `export * from '${own('area')}';
export * from '${own('circle')}';
export * as measuring from '${own('measure')}';
export { type Square, Squares } from '${own('square')}';
`,
  };
}

function appSources(own: Own, core: string, geometry: string): WorkspaceFiles {
  return {
    'palette.ts': `import { Colour, colourNames } from '${core}';

export function initial(colour: Colour): string {
  switch (colour) {
    case Colour.red:
      return 'r';
    case Colour.green:
      return 'g';
    case Colour.blue:
      return 'b';
  }
}

export const longest: number = Math.max(...Object.values(colourNames).map((name) => name.length));
`,
    'report.ts': `import { label } from '${core}';
import { areas, circle, measuring, named, type Shape } from '${geometry}';

export interface Report {
  readonly title: string;
  readonly sizes: readonly number[];
}

export function report(shapes: readonly Shape[]): Report {
  const sizes = areas(shapes).map(({ size }) => size);
  return { title: label(named('report')), sizes };
}

export const sample: Report = report([circle(measuring.measure('two')), circle(1, { x: 1, y: 1 })]);
`,
    'widen.ts': `import { Box } from '${core}';
import { Squares } from '${geometry}';

export const widened = (box: Box<string>): Box<string | number> => box;
export const taken: number | undefined = new Squares(3).take()?.side;
`,
    'main.ts': `import { type Report, sample } from '${own('report')}';

export function main(given: Report = sample): string {
  const total = given.sizes.reduce((sum, size) => sum + size, 0);
  return given.title + ': ' + total.toFixed(2);
}
`,
    'flaw.ts': `import { main } from '${own('main')}';

export const flaw: number = main();
`,
    'lone.ts': 'export const lone: number = 1;\n',
  };
}
