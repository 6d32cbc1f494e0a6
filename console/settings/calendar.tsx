import { useState } from 'hono/jsx/dom'
import type { NewCalendarFeedAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { read } from '../api.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Day, SecretOnce, Section } from '../parts/parts.tsx'

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
