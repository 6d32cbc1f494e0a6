import type { Rate } from '../../engine/book/facts.ts'
import { dayInWords, rateWords } from './words.ts'
import { percentInWords } from '../../engine/book/figures-in-words.ts'
import type { RateSeries } from './rate-changes.ts'

/** The periods of each rate that has changed, the newest first, with a bar for each. */
export function RateHistory({ series, day }: { series: readonly RateSeries[]; day: string }) {
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <div class="cards">
        {series.map(({ periods }) => (
          <HistoryOfRate periods={periods} day={day} />
        ))}
      </div>
    </section>
  )
}

function HistoryOfRate({ periods, day }: { periods: readonly Rate[]; day: string }) {
  const [newest] = periods
  if (newest === undefined) return <></>
  const highest = Math.max(...periods.map(({ rate_millionths }) => rate_millionths))
  return (
    <div class="card history">
      <table>
        <caption>{rateWords(newest)}</caption>
        <tbody>
          {periods.map((rate) => (
            <tr>
              <th scope="row">
                {dayInWords(rate.effective_from)}
                {rate.effective_from > day && ' (announced)'}
              </th>
              <td class="number">{percentInWords(rate.rate_millionths)}</td>
              <td>
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={String(Math.round((rate.rate_millionths / highest) * 100))} height="10" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
