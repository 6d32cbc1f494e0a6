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
const STEP = TILE + 4

/** The codes of the states of the map, such as `WA`. */
export const MAPPED_STATES = TILES.flat().filter((code) => code !== '..')

/** A tile. `state` names its colour, `label` is the second line, `title` says the same in words. */
type Tile = { state: string; label: string; title: string }

type UsMapProps = { tileOf: (code: string) => Tile; sentence: string; open: (code: string) => void }

/**
 * The map of the United States. The list beside it has the same facts in words, so a screen reader gets one
 * sentence.
 */
export function UsMap({ tileOf, sentence, open }: UsMapProps) {
  const [width, height] = [TILES[0]?.length ?? 0, TILES.length].map((tiles) => tiles * STEP - 2)
  return (
    <svg class="us-map" viewBox={`-1 -1 ${width} ${height}`} role="img" aria-label={sentence}>
      {TILES.flatMap((row, y) =>
        row.flatMap((code, x) => {
          if (code === '..') return []
          const { state, label, title } = tileOf(code)
          const middle = x * STEP + TILE / 2
          return (
            <g class={`tile ${state}`} onClick={() => open(code)}>
              <title>{title}</title>
              <rect x={x * STEP} y={y * STEP} width={TILE} height={TILE} rx="6" />
              <text class="code" x={middle} y={y * STEP + (label === '' ? 29 : 22)}>
                {code}
              </text>
              {label !== '' && (
                <text x={middle} y={y * STEP + 38}>
                  {label}
                </text>
              )}
            </g>
          )
        }),
      )}
    </svg>
  )
}
