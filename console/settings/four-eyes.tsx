import type { AccountAnswer } from '../../client/src/schema.ts'
import { accountChanged, may, SESSION } from '../account.ts'
import { change } from '../parts/changes.tsx'
import { Check, Form, type Typed } from '../parts/form.tsx'
import { Section } from '../parts/parts.tsx'
import { useStore } from '../store.ts'

/** Whether a return needs two people. Only who may change the people of the account changes it. */
export function FourEyesCard() {
  const account = useStore(SESSION)?.account ?? null
  if (account === null) return null
  const { four_eyes } = account
  return (
    <Section title="Two people for a return" card>
      <p class="quiet">
        Somebody reviews the locked figures, and another person marks the return as filed. At least one of the
        two signs in as a person. A key counts as the person who made it.
      </p>
      {may('people:write') ? (
        <Form name="Save changes" send={send} waits>
          <Check name="four_eyes" checked={four_eyes}>
            A return is filed only by another person than the one who reviewed it
          </Check>
        </Form>
      ) : (
        <p>{four_eyes ? 'It is required.' : 'It is not required.'} An owner can change that.</p>
      )}
    </Section>
  )
}

async function send(typed: Typed): Promise<void> {
  const body = { four_eyes: typed.isChecked('four_eyes') }
  const told = body.four_eyes ? 'Returns need two people now' : 'Returns need one person now'
  const saved = await change<AccountAnswer>('PUT', '/v1/account', { body, told })
  if (saved !== null) accountChanged(saved)
}
