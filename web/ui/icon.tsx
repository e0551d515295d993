/**
 * Every icon of the page, drawn on a grid of 16.
 *
 * An icon without a label is hidden from screen readers; one that stands alone must have a label.
 */
import type { VNode } from 'preact';

const shapes = {
  agent: ['M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2z', { d: 'M5.5 7.2h.01M8 7.2h.01M10.5 7.2h.01', width: 1.8 }],
  back: ['M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6.5'],
  bell: ['M4 11.5V7.2a4 4 0 0 1 8 0v4.3l1 1.3H3zM6.8 14.4h2.4'],
  bottomPanel: ['M2 3h12v10H2zM2 9.5h12'],
  branch: [
    { circle: [4.5, 3.5, 1.5] },
    { circle: [4.5, 12.5, 1.5] },
    { circle: [11.5, 5.5, 1.5] },
    'M4.5 5v6M11.5 7c0 2.5-3 3-6.2 4',
  ],
  check: ['m3.5 8.5 3 3 6-7'],
  chevronDown: ['m4.5 6.5 3.5 3.5 3.5-3.5'],
  chevronRight: ['m6.5 4.5 3.5 3.5-3.5 3.5'],
  clock: [{ circle: [8, 8, 6] }, 'M8 4.8V8l2.2 1.6'],
  close: ['m4.5 4.5 7 7m0-7-7 7'],
  copy: ['M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3'],
  download: ['M8 2v7.5M4.8 6.5 8 9.7l3.2-3.2M2.5 13.5h11'],
  edit: ['m3 13 .6-2.8L10.8 3l2.2 2.2-7.2 7.2z'],
  file: ['M4 1.8h5l3 3v9.4H4zM9 1.8v3h3'],
  folder: ['M2.5 12.5v-9h4l1.5 2h5.5v7z'],
  go: ['M2.5 8h11M10 4.5 13.5 8 10 11.5'],
  grid: ['M2.5 2.5h11v11h-11zM6.2 2.5v11M9.9 2.5v11M2.5 6.2h11M2.5 9.9h11'],
  leftPanel: ['M2 3h12v10H2zM6 3v10'],
  lock: ['M3.5 7.2h9v6.3h-9zM5.5 7.2V5a2.5 2.5 0 0 1 5 0v2.2'],
  minus: ['M3.5 8h9'],
  more: [{ d: 'M3.5 8h.01M8 8h.01M12.5 8h.01', width: 2 }],
  play: ['M5 3.5v9l7-4.5z'],
  plus: ['M8 3.5v9M3.5 8h9'],
  rank: [{ d: 'M3 13V9.5M8 13V3.5M13 13V6.5', width: 2 }],
  rightPanel: ['M2 3h12v10H2zM10 3v10'],
  search: [{ circle: [7, 7, 4.25] }, 'm10.2 10.2 3.3 3.3'],
  send: ['M8 13V3.5M4 7.2 8 3.2l4 4'],
  settings: [
    'M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6',
    { circle: [9.5, 4.5, 1.5] },
    { circle: [6.5, 11.5, 1.5] },
  ],
  split: ['M2.5 3h4.2v10H2.5zM9.3 3h4.2v10H9.3z'],
  stop: ['M4.5 4.5h7v7h-7z'],
  swap: ['M3 5.5h9L9.5 3M13 10.5H4L6.5 13'],
  terminal: ['m3 4.5 3.5 3.5L3 11.5M8.5 12h4.5'],
  whatIf: ['M2 8h4l3.5-4.5H14', { d: 'M6 8l3.5 4.5H14', dash: '2 2.2' }],
  /* verdicts and proofs */
  broken: [
    { d: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z', class: 'fillv' },
    { d: 'm5.8 5.8 4.4 4.4m0-4.4-4.4 4.4', class: 'cutout' },
  ],
  checking: [{ circle: [8, 8, 6], dash: '3 2.65', class: 'ring' }],
  clean: [{ circle: [8, 8, 6.2] }, 'm5.2 8.3 2 2 3.6-4.3'],
  conflict: [
    {
      d: 'M3.5 1.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z',
      class: 'fillv',
    },
    { d: 'M4.8 6.3h6.4M4.8 9.7h6.4M9.8 4 6.2 12', class: 'cutout' },
  ],
  none: [{ circle: [8, 8, 5.5] }],
  proved: ['M8 1.8 13 3.6v4c0 3.2-2.1 5.4-5 6.6-2.9-1.2-5-3.4-5-6.6v-4z', 'm5.8 7.9 1.6 1.6 2.9-3.2'],
  unproved: [
    { d: 'M8 1.8 13 3.6v4c0 3.2-2.1 5.4-5 6.6-2.9-1.2-5-3.4-5-6.6v-4z', dash: '2.2 2' },
    'M8 5.4v2.8M8 10.4v.01',
  ],
  unknown: ['M8 1.4 14.6 8 8 14.6 1.4 8z', 'M6.6 6.6c.2-1.6 2.9-1.5 2.8.1 0 1-1.3 1-1.3 2M8.1 10.7v.01'],
  warning: ['M8 2 14.5 13.5h-13z', 'M8 6.5v3.2M8 11.6v.01'],
} satisfies Record<string, readonly Shape[]>;

type Shape =
  | string
  | { readonly d: string; readonly width?: number; readonly dash?: string; readonly class?: string }
  | {
      readonly circle: readonly [number, number, number];
      readonly dash?: string;
      readonly class?: string;
    };

export type IconName = keyof typeof shapes;

const sizes = { small: 'i s', normal: 'i', large: 'i l' } as const;

export interface IconProps {
  readonly name: IconName;
  readonly size?: keyof typeof sizes;
  /** Read out in place of the icon. */
  readonly label?: string;
}

export function Icon({ name, size = 'normal', label }: IconProps): VNode {
  const named =
    label === undefined
      ? ({ 'aria-hidden': 'true' } as const)
      : { role: 'img' as const, 'aria-label': label };
  const drawn: readonly Shape[] = shapes[name];
  return (
    <svg class={sizes[size]} viewBox="0 0 16 16" {...named}>
      {drawn.map((shape) => draw(shape))}
    </svg>
  );
}

function draw(shape: Shape): VNode {
  if (typeof shape === 'string') return <path key={shape} d={shape} />;
  if ('circle' in shape) {
    const [cx, cy, r] = shape.circle;
    return (
      <circle key={`${cx} ${cy}`} cx={cx} cy={cy} r={r} class={shape.class} stroke-dasharray={shape.dash} />
    );
  }
  return (
    <path
      key={shape.d}
      d={shape.d}
      class={shape.class}
      stroke-width={shape.width}
      stroke-dasharray={shape.dash}
    />
  );
}

/** The same icon as an element, for parts of the page that CodeMirror draws. */
export function iconElement(name: IconName, size: keyof typeof sizes = 'small'): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('class', sizes[size]);
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const drawn: readonly Shape[] = shapes[name];
  for (const shape of drawn) svg.append(shapeElement(shape));
  return svg;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

function shapeElement(shape: Shape): SVGElement {
  const given = typeof shape === 'string' ? { d: shape } : shape;
  const isCircle = 'circle' in given;
  const element = document.createElementNS(svgNamespace, isCircle ? 'circle' : 'path');
  if (isCircle) {
    const [cx, cy, r] = given.circle;
    for (const [key, value] of Object.entries({ cx, cy, r })) element.setAttribute(key, String(value));
  } else {
    element.setAttribute('d', given.d);
    if ('width' in given && given.width !== undefined)
      element.setAttribute('stroke-width', String(given.width));
  }
  if ('dash' in given && given.dash !== undefined) element.setAttribute('stroke-dasharray', given.dash);
  if ('class' in given && given.class !== undefined) element.setAttribute('class', given.class);
  return element;
}
