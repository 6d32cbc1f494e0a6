import { useState } from 'hono/jsx/dom'
import type { NewSaleorInstallAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo } from '../address.ts'
import { change } from '../parts/changes.tsx'
import { Form, Input, type Typed } from '../parts/form.tsx'
import { LinkButton, Section, useTitle } from '../parts/parts.tsx'
import { SendOn } from '../parts/send-on.tsx'

/** What can be connected, and what it gets. Each has a guide. */
const SHOPS: readonly (readonly [name: string, guide: string, gets: string])[] = [
  [
    'Shopware',
    'shopware',
    'An app for Shopware 6.5 and later. Each cart of the checkout gets its taxes here.',
  ],
  ['Vendure', 'vendure', 'A plugin for Vendure 3.6 and later. Lines, shipping and totals have our cents.'],
  ['Odoo', 'odoo', 'An addon for Odoo 18. Its sales tax engine for the United States gets our rates.'],
  ['Saleor', 'saleor', 'A tax app for Saleor 3.21 and later. There is nothing to install.'],
  ['Stripe', 'stripe', 'Invoices of Stripe Billing show our taxes, line by line.'],
  [
    'Medusa',
    'medusa',
    'A tax provider for Medusa 2.21 and later. Sales and refunds are recorded by themselves.',
  ],
]

/** A card for each shop, in words of a shop, with its guide. */
export function ShopsToConnect() {
  return (
    <Section title="Connect a shop">
      <p class="quiet">Most shops need a key. The guide of each says where to put it.</p>
      <div class="halves even">
        {SHOPS.map(([name, guide, gets]) => (
          <section class="card stack" aria-label={name}>
            <h3>{name}</h3>
            <p>{gets}</p>
            <div class="actions">
              <Connect name={name} guide={`/docs/${guide}`} />
            </div>
          </section>
        ))}
      </div>
    </Section>
  )
}

/** A shop on Saleor is connected here, and all others by what their guide says. */
function Connect({ name, guide }: { name: string; guide: string }) {
  if (name !== 'Saleor' || !may('keys:write')) return <LinkButton to={guide} name={`Connect ${name}`} />
  return (
    <>
      <LinkButton to={linkTo('shops', { id: 'new' })} name="Connect Saleor" />
      <a href={guide}>Guide</a>
    </>
  )
}

/** The form that makes the link by which a shop on Saleor connects itself. */
export function New() {
  useTitle('Connect a shop on Saleor')
  const [address, setAddress] = useState<string | null>(null)
  if (address !== null)
    return (
      <SendOn
        title="The link for the shop: shown only once"
        address={address}
        advice="Install it in the dashboard of the shop as an external app. It works once, within 24 hours."
        to={null}
        subject="Connect the shop"
        done={() => (location.hash = linkTo('shops'))}
      />
    )
  const send = async (typed: Typed, idempotency_key: string) => {
    const body = { saleor_api_url: typed.text('saleor_api_url') }
    const request = { body, idempotency_key, told: 'The link is made' }
    const made = await change<NewSaleorInstallAnswer>('POST', '/v1/saleor/installs', request)
    setAddress(made?.manifest_url ?? null)
  }
  return (
    <Form name="Make the link" send={send}>
      <Input
        label="Address of the API of the shop"
        name="saleor_api_url"
        type="url"
        required
        maxlength={2048}
      >
        Such as https://your-shop.saleor.cloud/graphql/
      </Input>
    </Form>
  )
}
