import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { CustomersAnswer } from '../../src/customers/schemas.ts'
import { callApi } from '../api.ts'
import { customerName } from '../customers/customer.ts'
import { NewCertificate } from '../customers/new-certificate.tsx'
import { Input, valueIn } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { useTitle } from '../parts/sheet.ts'

type Customers = z.output<typeof CustomersAnswer>['customers']

/** The form of a new certificate, which first asks for its customer. */
export function AddCertificate() {
  useTitle('New certificate')
  const [sought, seek] = useState('')
  const [chosen, choose] = useState<Customers[number] | null>(null)
  const read = async (): Promise<Customers> => {
    const query = { limit: '10', q: sought || null }
    return (await callApi<z.output<typeof CustomersAnswer>>('GET', '/v1/customers', { query })).customers
  }
  const loading = useLoading(read, [sought])
  if (chosen !== null)
    return (
      <>
        <p class="row">
          <span>
            For <strong>{customerName(chosen)}</strong>
          </span>
          <button type="button" onClick={() => choose(null)}>
            Another customer
          </button>
        </p>
        <NewCertificate customer_id={chosen.id} opens />
      </>
    )
  return (
    <>
      <Input
        label="Customer"
        hint="A word of the name, an e-mail address or your reference"
        type="search"
        value={sought}
        maxlength={100}
        onInput={(event: Event) => seek(valueIn(event).trim())}
      />
      <Loaded
        of={loading}
        show={(found) =>
          found.length === 0 ? (
            <p class="quiet">No customer is found.</p>
          ) : (
            <ul class="found">
              {found.map((customer) => (
                <li>
                  <button type="button" onClick={() => choose(customer)}>
                    {customerName(customer)}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      />
    </>
  )
}
