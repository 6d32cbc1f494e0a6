import { useState } from 'hono/jsx/dom'
import type { NewCalendarFeedAnswer, UsageAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { read } from '../api.ts'
import { formatCount, formatShare } from '../format.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Bar, Day, SecretOnce, Section } from '../parts/parts.tsx'
import { inWords, sentence } from '../words.ts'
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
              <span>{NAMES[name] ?? inWords(name)}</span>
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

const PATH = '/v1/obligations/calendar'

const REPLACE = {
  title: 'Replace the calendar address?',
  text: 'The old address stops at once.',
  yes: 'Replace',
}

const REVOKE = {
  title: 'Revoke the calendar address?',
  text: 'Calendar programs that use it get nothing more.',
  yes: 'Revoke',
}

/** The secret address of due dates for calendar programs. */
export function CalendarCard() {
  const loading = useLoading(() => read(PATH))
  return (
    <Section title="Due dates in your calendar" card>
      <Loaded of={loading} show={(feed) => <Feed {...feed} again={loading.again} />} />
    </Section>
  )
}

function Feed({ created_at, again }: { created_at: string | null; again: () => Promise<void> }) {
  const [address, setAddress] = useState<string | null>(null)
  const make = async () => {
    const ask = created_at === null ? {} : { ask: REPLACE }
    const made = await change<NewCalendarFeedAnswer>('POST', PATH, ask)
    if (made !== null) setAddress(new URL(made.url ?? '', location.origin).href)
  }
  const revoke = async () => {
    await change('DELETE', PATH, { ask: REVOKE, told: 'The calendar address is revoked' })
    await again()
  }
  const stored = () => {
    setAddress(null)
    void again()
  }
  const advice =
    'Subscribe to it in your calendar program. Who has it can read places, periods and days, no amounts.'
  if (address !== null)
    return <SecretOnce name="The calendar address" secret={address} advice={advice} done={stored} />
  return (
    <>
      {created_at === null ? (
        <p class="quiet">A calendar program can show the due dates of your returns.</p>
      ) : (
        <p class="quiet">
          An address was made on <Day at={created_at} />. It is shown only once.
        </p>
      )}
      {may('reports:write') && (
        <Deeds
          of={[
            { name: created_at === null ? 'Make an address' : 'Replace the address…', act: make },
            created_at !== null && { name: 'Revoke…', act: revoke },
          ]}
        />
      )}
    </>
  )
}
