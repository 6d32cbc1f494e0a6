import { element, svgElement } from '../elements.js'
import { plainTable } from './table.js'

/**
 * One colour of the columns, from the bottom up.
 * @typedef {{ name: string, values: number[] }} Series one value for each column, of either sign
 */

/** The height of the drawing, in its own units. Its width is 10 for each column. */
const HEIGHT = 100

/**
 * Stacked columns with an axis of three ticks, the values of a column on hover, and a table with all figures.
 * The drawing is stretched; the words beside it are HTML, so that they have the same size on a phone.
 * @param {{
 *   caption: string, columns: string[], series: Series[], format: (value: number) => string,
 *   short: (value: number) => string
 * }} options `short` is for the axis
 */
export function columnChart({ caption, columns, series, format, short }) {
  const ticks = ticksOf(columns.map((_, index) => extentOf(series, index)))
  const [low, , high] = ticks
  const scale = (/** @type {number} */ value) => (value / (high - low)) * HEIGHT
  const drawn = columns.map((column, index) => {
    const parts = partsOf(series, index, scale, HEIGHT + scale(low))
    const told = series.map(({ name, values }) => `${name} ${format(values[index] ?? 0)}`).join('\n')
    const hover = svgElement('rect', { class: 'hover', x: index * 10, y: 0, width: 10, height: HEIGHT })
    return svgElement('g', {}, hover, ...parts, svgElement('title', {}, `${column}\n${told}`))
  })
  const lines = ticks.map((tick) => {
    const y = HEIGHT + scale(low) - scale(tick)
    return svgElement('line', {
      class: tick === 0 ? 'zero' : false,
      x1: 0,
      x2: columns.length * 10,
      y1: y,
      y2: y,
    })
  })
  const drawing = svgElement(
    'svg',
    {
      viewBox: `0 0 ${columns.length * 10} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': `${caption}. The table below has the figures.`,
    },
    ...lines,
    ...drawn,
  )
  return element(
    'figure',
    { class: 'chart' },
    legend(series),
    element(
      'div',
      { class: 'plot' },
      element(
        'div',
        { class: 'ticks', 'aria-hidden': 'true' },
        ...ticks.toReversed().map((tick) => element('span', {}, short(tick))),
      ),
      drawing,
      element(
        'div',
        { class: 'months', 'aria-hidden': 'true' },
        ...columns.map((column) => element('span', {}, column)),
      ),
    ),
    element(
      'details',
      {},
      element('summary', {}, 'Show as table'),
      plainTable(
        caption,
        ['Month', ...series.map(({ name }) => `#${name}`), '#Total'],
        columns.map((column, index) => [
          column,
          ...series.map(({ values }) => format(values[index] ?? 0)),
          format(series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
        ]),
      ),
    ),
  )
}

/** @param {Series[]} series */
function legend(series) {
  return element(
    'ul',
    { class: 'legend' },
    ...series.map(({ name }, index) => element('li', { class: `series-${index + 1}` }, name)),
  )
}

/**
 * The columns of one month: what is positive goes up from zero, what is negative goes down.
 * @param {Series[]} series
 * @param {number} index
 * @param {(value: number) => number} scale
 * @param {number} zero
 */
function partsOf(series, index, scale, zero) {
  let up = zero
  let down = zero
  return series.flatMap(({ values }, number) => {
    const size = scale(values[index] ?? 0)
    if (size === 0) return []
    if (size > 0) up -= size
    const y = size > 0 ? up : down
    if (size < 0) down -= size
    const place = { x: index * 10 + 2, y, width: 6, height: Math.abs(size) }
    return [svgElement('rect', { class: `series-${number + 1}`, ...place })]
  })
}

/**
 * How far the column goes below and above zero.
 * @param {Series[]} series
 * @param {number} index
 * @returns {[number, number]}
 */
function extentOf(series, index) {
  const values = series.map((each) => each.values[index] ?? 0)
  return [
    values.filter((value) => value < 0).reduce((sum, value) => sum + value, 0),
    values.filter((value) => value > 0).reduce((sum, value) => sum + value, 0),
  ]
}

/**
 * Three round ticks that contain all columns, zero among them.
 * @param {[number, number][]} extents
 * @returns {[number, number, number]}
 */
function ticksOf(extents) {
  const low = Math.min(0, ...extents.map(([below]) => below))
  const high = Math.max(0, ...extents.map(([, above]) => above))
  if (low === 0) {
    const step = roundUp(high / 2)
    return [0, step, 2 * step]
  }
  const step = roundUp(Math.max(high, -low))
  return [-step, 0, step]
}

/**
 * The next 1, 2, 2.5 or 5 with zeros.
 * @param {number} value
 */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return power * ([1, 2, 2.5, 5].find((factor) => factor * power >= value) ?? 10)
}
