import type { UsageAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { read } from '../api.ts'
import { formatCount, formatShare } from '../format.ts'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Bar, Section } from '../parts/parts.tsx'
import { sentence, withSpaces } from '../words.ts'
import { CalendarCard } from './calendar.tsx'
import { ProfileCard } from './profile.tsx'

/** The profile of the seller, usage, and the calendar address. */
export function View() {
  return (
    <div class="settings">
      <ProfileCard />
      <div class="stack">
        <UsageCard />
        {may('reports:read') && <CalendarCard />}
      </div>
    </div>
  )
}

const NEARLY_FULL = 0.85

/** The names of this screen where they are not those of the API. */
const NAMES: Readonly<Record<string, string>> = {
  api_keys: 'API keys',
  exemptions: 'Certificates',
  document_bytes: 'Files of certificates',
  filed_rows: 'Rows of filed returns',
}

/** A count of rows, or for bytes a number of megabytes. */
function sizeOf(name: string, count: number): string {
  if (!name.endsWith('_bytes')) return formatCount(count)
  return `${formatCount(Math.round(count / 100_000) / 10)} MB`
}

/** The stored rows of the account beside their quotas. */
export function UsageCard() {
  const loading = useLoading(() => read('/v1/account/usage'))
  const tier = loading.value === null ? 'Usage' : `Usage, tier ${sentence(loading.value.tier)}`
  return (
    <Section title={tier} card>
      <Loaded of={loading} lines={10} show={(usage) => <Rows {...usage} />} />
    </Section>
  )
}

function Rows({ usage, requests_per_minute, lines_per_request }: UsageAnswer) {
  return (
    <>
      <p class="quiet">
        {`${formatCount(requests_per_minute)} requests a minute, `}
        {`${formatCount(lines_per_request)} lines in a request. `}
        Nothing is deleted when a limit is reached: new records are refused.
      </p>
      <ul class="usage">
        {Object.entries(usage).map(([name, { stored, quota }]) => {
          const share = quota === 0 ? 0 : stored / quota
          const state = share >= 1 ? 'exceeded' : share >= NEARLY_FULL ? 'approaching' : 'below'
          return (
            <li>
              <span>{NAMES[name] ?? sentence(withSpaces(name))}</span>
              <span class="quiet number">
                {`${sizeOf(name, stored)} of ${sizeOf(name, quota)}, ${formatShare(share)}`}
              </span>
              <Bar share={share} state={state} />
            </li>
          )
        })}
      </ul>
    </>
  )
}
