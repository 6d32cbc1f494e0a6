import type { Obligation } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { asked, change, Deeds } from '../parts/changes.tsx'
import { formatDay, todayInZone } from '../format.ts'
import { Form, Input, type Typed } from '../parts/form.tsx'
import { nameInSentence } from '../parts/history.tsx'
import { Folded, Moment, Section } from '../parts/parts.tsx'
import { periodWords } from '../words.ts'

/** Sets an unfiled return aside with a reason, says who did so, and takes it back. */
export function SetAside({ due }: { due: Obligation | null }) {
  if (due === null || due.status === 'filed') return null
  const { set_aside } = due
  const writes = may('reports:write')
  if (due.status !== 'set_aside' || set_aside === null)
    return (
      <>
        {set_aside !== null && (
          <p class="quiet">
            It was set aside <Moment at={set_aside.set_aside_at} />
            {` by ${whoSetAside(set_aside)}, because: ${set_aside.reason}. `}
            Its sales have changed since, so it must be filed.
          </p>
        )}
        {writes && <Deeds of={[{ name: 'Set aside…', act: (key) => setAside(due, key) }]} />}
      </>
    )
  return (
    <>
      <p>
        It was set aside <Moment at={set_aside.set_aside_at} />
        {` by ${whoSetAside(set_aside)}, because: ${set_aside.reason}. It does not need to be filed here.`}
      </p>
      {writes && <Deeds of={[{ name: 'Take back', act: (key) => decide(due, null, key) }]} />}
    </>
  )
}

function whoSetAside({ set_aside_by, set_aside_by_name }: NonNullable<Obligation['set_aside']>): string {
  return nameInSentence(set_aside_by, set_aside_by_name)
}

async function setAside(due: Obligation, idempotency_key: string): Promise<void> {
  const reason = await asked({
    title: `Set ${periodWords(due.period)} aside?`,
    text:
      'It no longer needs to be filed here, for example because it was filed elsewhere. If a sale or ' +
      'refund of its period is recorded or deleted later, it must be filed again.',
    yes: 'Set aside',
    hint: 'Stored in the audit log',
  })
  if (reason !== null) await decide(due, reason, idempotency_key)
}

async function decide({ id, period }: Obligation, set_aside: string | null, idempotency_key: string) {
  const told = `${periodWords(period)} ${set_aside === null ? 'must be filed again' : 'is set aside'}`
  await change('PUT', `/v1/obligations/${id}`, { body: { set_aside }, idempotency_key, told })
}

/** The recapitulative statement of the same period: filed at the tax office, and told here. */
export function Statement({ due }: { due: Obligation | null }) {
  if (due === null) return null
  const { id, status, statement, last_date } = due
  const send = async (typed: Typed) => {
    const filed = { day: typed.text('day'), ...typed.optionals('number') }
    await change('PUT', `/v1/obligations/${id}`, { body: { filed }, told: 'The EC sales list is filed' })
  }
  const takeBack = (idempotency_key: string) =>
    change('PUT', `/v1/obligations/${id}`, {
      body: { filed: null },
      idempotency_key,
      told: 'The EC sales list must be filed again',
    })
  return (
    <Section title="EC sales list (recapitulative statement)" card>
      {status === 'filed' && statement !== null ? (
        <>
          <p>
            {`Filed on ${formatDay(statement.day)}, `}
            {`noted by ${nameInSentence(statement.told_by, statement.told_by_name)}.`}
          </p>
          {may('reports:write') && <Deeds of={[{ name: 'Take back', act: takeBack }]} />}
        </>
      ) : (
        <>
          <p>
            {statement?.counts === false
              ? 'Sales or refunds on it were recorded or deleted after it was filed. Correct it. '
              : `Due ${formatDay(last_date)}. `}
            Its file is listed with the files of the return.
          </p>
          {may('reports:write') && status !== 'set_aside' && (
            <Folded
              title="Mark as filed…"
              make={() => (
                <Form name="Mark as filed" send={send}>
                  <div class="fields">
                    <Input label="Filed on" name="day" type="date" value={todayInZone()} />
                    <Input label="Number" name="number" maxlength={100}>
                      From the tax office
                    </Input>
                  </div>
                </Form>
              )}
            />
          )}
          <SetAside due={due} />
        </>
      )}
    </Section>
  )
}
