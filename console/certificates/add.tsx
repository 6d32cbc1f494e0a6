import { useState } from 'hono/jsx/dom'
import type { Customer } from '../../client/src/schema.ts'
import { read } from '../api.ts'
import { NewCertificate } from '../customers/new-certificate.tsx'
import { customerName } from '../names.ts'
import { Input, valueIn } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Press, useTitle } from '../parts/parts.tsx'

/** The form of a new certificate, which first asks for its customer. */
export function AddCertificate() {
  useTitle('New certificate')
  const [sought, seek] = useState('')
  const [chosen, choose] = useState<Customer | null>(null)
  const loading = useLoading(() => read('/v1/customers', { limit: '10', q: sought || null }), [sought])
  const type = (event: Event) => seek(valueIn(event).trim())
  if (chosen !== null)
    return (
      <>
        <p class="row">
          <span>
            For <strong>{customerName(chosen)}</strong>
          </span>
          <Press name="Another customer" act={() => choose(null)} />
        </p>
        <NewCertificate customer_id={chosen.id} opens />
      </>
    )
  return (
    <>
      <Input label="Customer" type="search" value={sought} maxlength={100} onInput={type}>
        A word of the name, an e-mail address or your reference
      </Input>
      <Loaded
        of={loading}
        show={({ customers }) =>
          customers.length === 0 ? (
            <p class="quiet">No customer is found.</p>
          ) : (
            <ul class="found">
              {customers.map((customer) => (
                <li>
                  <Press name={customerName(customer)} act={() => choose(customer)} />
                </li>
              ))}
            </ul>
          )
        }
      />
    </>
  )
}
