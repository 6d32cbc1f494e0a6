import { svgElement } from '../legacy/elements.js'

/**
 * Every state as a tile about where it is, so that Rhode Island is as easy to see as Texas. The arrangement
 * is our own.
 */
const TILES = [
  'AK .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. WI .. .. .. VT NH',
  'WA ID MT ND MN IL MI .. NY MA RI',
  'OR NV WY SD IA IN OH PA NJ CT ..',
  'CA UT CO NE MO KY WV VA MD DE ..',
  '.. AZ NM KS AR TN NC SC DC .. ..',
  '.. .. .. OK LA MS AL GA .. .. ..',
  'HI .. .. TX .. .. .. .. FL .. PR',
].map((row) => row.split(' '))

const TILE = 46
const GAP = 4
const STEP = TILE + GAP

/** The codes of the states of the map, such as `WA`. */
export const MAPPED_STATES = TILES.flat().filter((code) => code !== '..')

/**
 * The content of a tile. `state` names its colour, `label` is the second line, `title` says the same in words.
 * @typedef {{ state: string, label: string, title: string }} Tile
 */

/**
 * The map of the United States. The list beside it has the same facts in words, so a screen reader gets one
 * sentence.
 * @param {(code: string) => Tile} tileOf
 * @param {string} sentence
 * @param {(code: string) => void} open called when a tile is clicked
 */
export function usMap(tileOf, sentence, open) {
  const width = (TILES[0]?.length ?? 0) * STEP - GAP
  const height = TILES.length * STEP - GAP
  const tiles = TILES.flatMap((row, y) =>
    row.flatMap((code, x) => (code === '..' ? [] : [drawTile(code, x * STEP, y * STEP, tileOf(code), open)])),
  )
  return svgElement(
    'svg',
    { class: 'us-map', viewBox: `-1 -1 ${width + 2} ${height + 2}`, role: 'img', 'aria-label': sentence },
    ...tiles,
  )
}

/**
 * @param {string} code
 * @param {number} x
 * @param {number} y
 * @param {Tile} tile
 * @param {(code: string) => void} open
 */
function drawTile(code, x, y, { state, label, title }, open) {
  const middle = x + TILE / 2
  const group = svgElement(
    'g',
    { class: `tile ${state}` },
    svgElement('title', {}, title),
    svgElement('rect', { x, y, width: TILE, height: TILE, rx: 6 }),
    svgElement('text', { class: 'code', x: middle, y: y + (label === '' ? 29 : 22) }, code),
    label === '' ? null : svgElement('text', { x: middle, y: y + 38 }, label),
  )
  group.addEventListener('click', () => open(code))
  return group
}
