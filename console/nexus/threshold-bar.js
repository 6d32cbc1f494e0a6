import { svgElement } from '../legacy/elements.js'
import { formatShare } from '../legacy/format.js'

/** The share at the right end of a bar. More is told in figures. */
const END = 1.25
const APPROACHING = 0.85

/**
 * How much of a threshold is reached, with marks at 85 % and 100 %.
 * @param {number} ratio 1 reaches it
 * @param {string} state names its colour
 */
export function thresholdBar(ratio, state) {
  const mark = (/** @type {number} */ at, /** @type {string} */ name) =>
    svgElement('line', { class: name, x1: (at / END) * 100, x2: (at / END) * 100, y1: 0, y2: 10 })
  return svgElement(
    'svg',
    {
      class: `threshold-bar ${state}`,
      viewBox: '0 0 100 10',
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': `${formatShare(ratio)} of the threshold`,
    },
    svgElement('rect', { class: 'track', y: 2, width: 100, height: 6 }),
    svgElement('rect', { class: 'reached', y: 2, width: Math.min(100, (ratio / END) * 100), height: 6 }),
    mark(APPROACHING, 'near'),
    mark(1, 'limit'),
  )
}
