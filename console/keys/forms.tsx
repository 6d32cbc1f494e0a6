import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { NewApiKeyAnswer, RotatedApiKeyAnswer } from '../../src/accounts/schemas.ts'
import { linkTo } from '../address.ts'
import { callApi, newIdempotencyKey } from '../api.ts'
import { Form, Input, type Typed } from '../parts/form.tsx'
import { SecretOnce } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { recordsChanged } from '../parts/table.tsx'
import { toast } from '../parts/toast.tsx'
import { ScopeChoice } from './scopes.tsx'

const MAY_DO = 'What the key may do'

/** A new key; null if the same request was sent before. */
type Made = { secret: string | null }

/** The form of a new key, which is shown once after it is made. */
export function NewKey() {
  useTitle('Create a key')
  const [idempotency_key] = useState(newIdempotencyKey)
  const [made, setMade] = useState<Made | null>(null)
  if (made !== null) return <MadeKey {...made} />
  const send = async (typed: Typed) => {
    const last_day = typed.text('expires')
    const body = {
      name: typed.text('name'),
      scopes: typed.checked('scopes', MAY_DO),
      ...(last_day !== '' && { expires_at: `${last_day}T23:59:59Z` }),
    }
    const options = { body, idempotency_key }
    const { key } = await callApi<z.output<typeof NewApiKeyAnswer>>('POST', '/v1/api-keys', options)
    setMade({ secret: key })
    toast('The key is created')
    recordsChanged()
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
        hint="Empty: it ends when the key ends that you use now"
        name="expires"
        type="date"
      />
      <ScopeChoice legend={MAY_DO} />
    </Form>
  )
}

/** Replaces a key. `made` gets the new one. */
export function RotateKey({ id, made }: { id: string; made: (made: Made) => void }) {
  const [idempotency_key] = useState(newIdempotencyKey)
  const send = async (typed: Typed) => {
    const body = { grace_hours: Number(typed.text('hours')) }
    const options = { body, idempotency_key }
    const path = `/v1/api-keys/${id}/rotate`
    const { key } = await callApi<z.output<typeof RotatedApiKeyAnswer>>('POST', path, options)
    made({ secret: key })
    toast('A new key replaces it')
    recordsChanged()
  }
  return (
    <Form name="Rotate" send={send}>
      <Input
        label="Hours in which this key stays valid"
        hint="0 ends it at once; 168 are 7 days"
        name="hours"
        type="number"
        min={0}
        max={168}
        value={24}
        required
      />
    </Form>
  )
}

export function MadeKey({ secret }: Made) {
  if (secret === null)
    return <p>The key was created before, and it is not shown again. Revoke it and create another one.</p>
  const advice = 'Store it where your program reads secrets. The service keeps only its hash.'
  const leave = () => (location.hash = linkTo('keys'))
  return <SecretOnce name="The key" secret={secret} advice={advice} done={leave} />
}
