import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { NewApiKeyAnswer, RotatedApiKeyAnswer } from '../../src/accounts/schemas.ts'
import { linkTo } from '../address.ts'
import { change } from '../parts/changes.tsx'
import { Form, Input, type Typed } from '../parts/form.tsx'
import { SecretOnce } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { ScopeChoice } from './scopes.tsx'

const MAY_DO = 'What the key may do'

/** A new key; null if the same request was sent before. */
export type Made = { key: string | null }

/** The form of a new key, which is shown once after it is made. */
export function NewKey() {
  useTitle('Create a key')
  const [made, setMade] = useState<Made | null>(null)
  if (made !== null) return <MadeKey of={made} />
  const send = async (typed: Typed, idempotency_key: string) => {
    const last_day = typed.text('expires_at')
    const body = {
      name: typed.text('name'),
      scopes: typed.checked('scopes', MAY_DO),
      ...(last_day !== '' && { expires_at: `${last_day}T23:59:59Z` }),
    }
    const request = { body, idempotency_key, told: 'The key is created' }
    setMade(await change<z.output<typeof NewApiKeyAnswer>>('POST', '/v1/api-keys', request))
  }
  return (
    <Form name="Create the key" send={send}>
      <Input
        label="Name"
        hint="Who or what uses it, such as Checkout of the shop"
        name="name"
        required
        maxlength={200}
      />
      <Input
        label="Last day"
        hint="Empty: as long as the key that you use now"
        name="expires_at"
        type="date"
      />
      <ScopeChoice legend={MAY_DO} />
    </Form>
  )
}

/** Replaces a key. `made` gets the new one. */
export function RotateKey({ id, made }: { id: string; made: (made: Made | null) => void }) {
  const send = async (typed: Typed, idempotency_key: string) => {
    const body = { grace_hours: Number(typed.text('grace_hours')) }
    const request = { body, idempotency_key, told: 'A new key replaces it' }
    made(await change<z.output<typeof RotatedApiKeyAnswer>>('POST', `/v1/api-keys/${id}/rotate`, request))
  }
  return (
    <Form name="Rotate" send={send}>
      <Input
        label="Hours in which this key stays valid"
        hint="0 ends it at once; 168 are 7 days"
        name="grace_hours"
        type="number"
        min={0}
        max={168}
        value={24}
        required
      />
    </Form>
  )
}

export function MadeKey({ of: { key } }: { of: Made }) {
  if (key === null)
    return <p>The key was created before, and it is not shown again. Revoke it and create another one.</p>
  const advice = 'Store it where your program reads secrets. The service keeps only its hash.'
  const leave = () => (location.hash = linkTo('keys'))
  return <SecretOnce name="The key" secret={key} advice={advice} done={leave} />
}
