import { useState } from 'hono/jsx/dom'
import { PlainTable } from './table.tsx'

/** One colour of the columns, from the bottom up: one value for each column, of either sign. */
export type Series = { name: string; values: number[] }

/** The height of the drawing, in its own units. Its width is 10 for each column. */
const HEIGHT = 100

/** The least height of a part that is not zero, so that it is seen. */
const STUB = 1

type ColumnChartProps = {
  caption: string
  columns: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
  short: (value: number) => string
}

/**
 * Stacked columns with totals, the values of a column on hover and on focus, and all figures in a table. The
 * drawing is stretched; the words beside it are HTML, so that they have the same size on a phone. `short` is
 * for the axis and the totals.
 */
export function ColumnChart({ caption, columns, series, format, short }: ColumnChartProps) {
  const [chosen, setChosen] = useState(columns.length - 1)
  const extents = columns.map((_, index) => extentOf(series, index))
  const ticks = ticksOf(extents)
  const totals = extents.map(([below, above]) => below + above)
  return (
    <figure class="chart">
      <p class="values" role="status">
        <strong>
          {columns[chosen]}: {format(totals[chosen] ?? 0)}
        </strong>
      </p>
      <ul class="legend">
        {series.map(({ name, values }, index) => (
          <li class={`series-${index + 1}`}>
            {name} <span class="number quiet">{format(values[chosen] ?? 0)}</span>
          </li>
        ))}
      </ul>
      <div class="plot">
        <div class="ticks" aria-hidden="true">
          {ticks.toReversed().map((tick) => (
            <span>{short(tick)}</span>
          ))}
        </div>
        <Drawing {...{ caption, series, ticks, chosen, setChosen }} count={columns.length} />
        <div class={`months of-${columns.length}`}>
          {columns.map((column, index) => (
            <button
              type="button"
              class={index === chosen ? 'plain on' : 'plain'}
              onFocus={() => setChosen(index)}
              onClick={() => setChosen(index)}
            >
              <span class="number">{totals[index] === 0 ? '' : short(totals[index] ?? 0)}</span>
              {column}
            </button>
          ))}
        </div>
      </div>
      <details>
        <summary>Show as table</summary>
        <PlainTable
          caption={caption}
          heads={['Month', ...series.map(({ name }) => `#${name}`), '#Total']}
          rows={columns.map((column, index) => [
            column,
            ...series.map(({ values }) => format(values[index] ?? 0)),
            format(totals[index] ?? 0),
          ])}
        />
      </details>
    </figure>
  )
}

type DrawingProps = {
  caption: string
  count: number
  series: readonly Series[]
  ticks: readonly number[]
  chosen: number
  setChosen: (index: number) => void
}

function Drawing({ caption, count, series, ticks, chosen, setChosen }: DrawingProps) {
  const [low = 0, high = 1] = [ticks.at(0), ticks.at(-1)]
  const scale = (value: number) => (value / (high - low)) * HEIGHT
  const at = (value: number) => HEIGHT + scale(low) - scale(value)
  return (
    <svg
      viewBox={`0 0 ${count * 10} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${caption}. The table below has the figures.`}
    >
      {ticks.map((tick) => (
        <line class={tick === 0 ? 'zero' : undefined} x1="0" x2={count * 10} y1={at(tick)} y2={at(tick)} />
      ))}
      {Array.from({ length: count }, (_, index) => (
        <g onMouseEnter={() => setChosen(index)}>
          <rect class={index === chosen ? 'hover on' : 'hover'} x={index * 10} width="10" height={HEIGHT} />
          {partsOf(series, index, scale, at(0))}
        </g>
      ))}
    </svg>
  )
}

/** The parts of a column: what is positive goes up from zero, what is negative goes down. */
function partsOf(series: readonly Series[], index: number, scale: (value: number) => number, zero: number) {
  let up = zero
  let down = zero
  return series.map(({ values }, number) => {
    const size = scale(values[index] ?? 0)
    if (size === 0) return null
    const height = Math.max(Math.abs(size), STUB)
    if (size > 0) up -= height
    const y = size > 0 ? up : down
    if (size < 0) down += height
    return <rect class={`series-${number + 1}`} x={index * 10 + 2} y={y} width="6" height={height} />
  })
}

/** How far a column goes below and above zero. */
function extentOf(series: readonly Series[], index: number): [number, number] {
  const values = series.map((each) => each.values[index] ?? 0)
  const sum = (wanted: readonly number[]) => wanted.reduce((total, value) => total + value, 0)
  return [sum(values.filter((value) => value < 0)), sum(values.filter((value) => value > 0))]
}

/** Round ticks at equal steps that contain all columns, zero among them. */
function ticksOf(extents: readonly (readonly [number, number])[]): number[] {
  const low = Math.min(0, ...extents.map(([below]) => below))
  const high = Math.max(0, ...extents.map(([, above]) => above))
  const step = roundUp((high - low) / 4)
  const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), 1)]
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** The next 1, 2, 2.5 or 5 with zeros. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return power * ([1, 2, 2.5, 5].find((factor) => factor * power >= value) ?? 10)
}
