/**
 * The output of a terminal as an SVG picture.
 *
 * Invariant: the same output gives the same picture.
 */

const cell = { width: 8.4, height: 18 } as const;
const margin = 16;
const bar = 28;

const colours: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#d29922',
  '36': '#79c0ff',
};

interface Style {
  readonly colour?: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

const plain: Style = { isBold: false, isDim: false };

/** `output` may hold colours, bold and dim text as terminals read them. */
export function terminalPicture(output: string, { title }: { readonly title: string }): string {
  const lines = output.replace(/\n+$/, '').split('\n');
  const columns = Math.max(...lines.map((line) => visible(line).length));
  const width = Math.ceil(columns * cell.width) + 2 * margin;
  const height = bar + lines.length * cell.height + margin;
  let style = plain;
  const rows = lines.map((line, row) => {
    const drawn = drawnLine(line, style);
    style = drawn.style;
    const y = bar + (row + 1) * cell.height - 5;
    return `<text x="${margin}" y="${y}" xml:space="preserve">${drawn.spans}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, at) => `<circle cx="${margin + 4 + at * 18}" cy="${bar / 2}" r="5" fill="${fill}"/>`,
    ),
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">',
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const start = String.fromCharCode(27);
const sequence = new RegExp(`${start}\\[([0-9;]*)m`, 'g');

function visible(line: string): string {
  return line.replaceAll(sequence, '');
}

function drawnLine(line: string, before: Style): { readonly spans: string; readonly style: Style } {
  let style = before;
  const spans = line.split(sequence).map((part, at) => {
    // Texts and the codes between them alternate.
    if (at % 2 === 0) return part === '' ? '' : span(part, style);
    style = part.split(';').reduce(styled, style);
    return '';
  });
  return { spans: spans.join(''), style };
}

function styled(style: Style, code: string): Style {
  switch (code) {
    case '':
    case '0':
      return plain;
    case '1':
      return { ...style, isBold: true };
    case '2':
      return { ...style, isDim: true };
    case '22':
      return { ...style, isBold: false, isDim: false };
    case '39': {
      const { isBold, isDim } = style;
      return { isBold, isDim };
    }
    default: {
      const colour = colours[code];
      if (colour === undefined) throw new Error(`no colour is known for the code ${code}`);
      return { ...style, colour };
    }
  }
}

function span(text: string, { colour, isBold, isDim }: Style): string {
  const attributes = [
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
    ...(isBold ? ['font-weight="bold"'] : []),
    ...(isDim ? ['opacity="0.6"'] : []),
  ];
  return `<tspan${attributes.map((each) => ` ${each}`).join('')}>${escaped(text)}</tspan>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
