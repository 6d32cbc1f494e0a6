export type Curve = { name: string; points: readonly { x: number; y: number }[] }

const WIDTH = 720
const HEIGHT = 380
const MARGIN = { left: 56, right: 200, top: 20, bottom: 48 }
const FONT = 'font-family="sans-serif" font-size="12"'
const COLOURS = ['#2563eb', '#d97706', '#059669', '#dc2626', '#7c3aed', '#0891b2']

/** Draws curves over a logarithmic axis, as an SVG picture for light and dark pages. */
export function picture(curves: readonly Curve[], x_label: string, y_label: string): string {
  const points = curves.flatMap((curve) => curve.points)
  const [x_min, x_max] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))]
  const y_max = Math.max(2, ...points.map(({ y }) => y)) * 1.1
  const right = WIDTH - MARGIN.right
  const bottom = HEIGHT - MARGIN.bottom
  const xOf = (x: number) =>
    MARGIN.left +
    ((Math.log10(x) - Math.log10(x_min)) / (Math.log10(x_max) - Math.log10(x_min))) * (right - MARGIN.left)
  const yOf = (y: number) => bottom - (y / y_max) * (bottom - MARGIN.top)
  const sizes = [...new Set(points.map(({ x }) => x))]
  const heights = Array.from({ length: Math.floor(y_max * 2) + 1 }, (_, index) => index / 2)
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${FONT}>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...heights.flatMap((y) => [
      grid(MARGIN.left, right, round(yOf(y))),
      text(MARGIN.left - 8, yOf(y) + 4, String(y), 'end'),
    ]),
    ...sizes.map((x) => text(xOf(x), bottom + 18, x.toLocaleString('en'), 'middle')),
    text((MARGIN.left + right) / 2, HEIGHT - 8, x_label, 'middle'),
    upright(14, (MARGIN.top + bottom) / 2, y_label),
    ...curves.flatMap((curve, index) => drawn(curve, index, xOf, yOf, right)),
    '</svg>',
  ].join('\n')}\n`
}

function drawn(
  { name, points }: Curve,
  index: number,
  xOf: (x: number) => number,
  yOf: (y: number) => number,
  right: number,
): string[] {
  const colour = COLOURS[index % COLOURS.length] ?? '#000000'
  const path = points.map(({ x, y }) => `${round(xOf(x))},${round(yOf(y))}`).join(' ')
  const key = MARGIN.top + 12 + index * 20
  return [
    `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...points.map(
      ({ x, y }) => `<circle cx="${round(xOf(x))}" cy="${round(yOf(y))}" r="3" fill="${colour}"/>`,
    ),
    `<rect x="${right + 16}" y="${key - 9}" width="12" height="4" fill="${colour}"/>`,
    text(right + 34, key - 2, `${name}: ${points.at(-1)?.y.toFixed(2)}`, 'start'),
  ]
}

function grid(left: number, right: number, y: number): string {
  return `<line x1="${left}" x2="${right}" y1="${y}" y2="${y}" stroke="#e5e7eb"/>`
}

/** A text that is rotated by 90 degrees, to be read from below. */
function upright(x: number, y: number, content: string): string {
  const place = `transform="translate(${x} ${round(y)}) rotate(-90)"`
  return `<text ${place} text-anchor="middle" fill="#374151">${content}</text>`
}

function text(x: number, y: number, content: string, anchor: string): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="#374151">${content}</text>`
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
