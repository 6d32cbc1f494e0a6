import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { AccountAnswer } from '../../src/accounts/schemas.ts'
import { accountChanged } from '../account.ts'
import { callApi } from '../api.ts'
import { countries, type Option, regionsOf } from '../names.ts'
import { Choice, readRegion, RegionChoice } from '../parts/choice.tsx'
import { Check, Form, Input, Select, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Section } from '../parts/parts.tsx'
import { toast } from '../parts/toast.tsx'

type Seller = z.output<typeof AccountAnswer>

const POLICIES = [
  ['format', 'if its format is valid'],
  ['validated', 'only if the authority confirmed it'],
] as const

const STAGGERS = [
  ['1', 'Mar, Jun, Sep, Dec'],
  ['2', 'Apr, Jul, Oct, Jan'],
  ['3', 'May, Aug, Nov, Feb'],
] as const

const MONTHS = Array.from({ length: 12 }, (_, index) => {
  const format = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })
  return [String(index + 1), format.format(new Date(Date.UTC(2026, index, 1)))] as const
})

const ZONES: readonly Option[] = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({
  value: zone,
  name: zone,
}))

/** The profile of the seller. */
export function ProfileCard() {
  const loading = useLoading(async (): Promise<[Seller, Option[]]> => {
    const nations = countries()
    const account = await callApi<Seller>('GET', '/v1/account')
    // Read before RegionChoice asks for them, so that no field moves.
    if (account.country !== null) await Promise.allSettled([regionsOf(account.country)])
    return [account, await nations]
  })
  const show = ([account, nations]: [Seller, Option[]]) => <Profile account={account} nations={nations} />
  return (
    <Section title="Account" card>
      <Loaded of={loading} lines={10} show={show} />
    </Section>
  )
}

function Profile({ account, nations }: { account: Seller; nations: readonly Option[] }) {
  const { name, vat_id, vat_id_policy, small_business, time_zone, filing } = account
  const send = async (typed: Typed) => {
    const body = await readProfile(typed, nations)
    accountChanged({ ...account, ...(await callApi<Seller>('PUT', '/v1/account', { body })) })
    toast('The settings are saved')
  }
  return (
    <Form name="Save" scope="registrations:write" send={send}>
      <Input label="Name" name="name" required maxlength={200} value={name} autocomplete="organization" />
      <fieldset>
        <legend>Where you are</legend>
        <PlaceFields account={account} nations={nations} />
      </fieldset>
      <fieldset>
        <legend>Tax</legend>
        <div class="fields">
          <Input label="VAT id" name="vat_id" maxlength={40} value={vat_id ?? ''} />
          <Select
            label="A customer’s VAT id counts"
            name="vat_id_policy"
            choices={POLICIES}
            chosen={vat_id_policy}
          />
          <Check name="small_business" checked={small_business}>
            Small-business scheme: no tax is charged in your country
          </Check>
        </div>
      </fieldset>
      <fieldset>
        <legend>Periods</legend>
        <div class="fields">
          <Choice
            label="Time zone"
            hint="Days of reports, periods and thresholds are days there"
            name="time_zone"
            options={ZONES}
            chosen={time_zone}
            required
          />
          <Select
            label="UK quarters end in"
            name="uk_stagger"
            choices={STAGGERS}
            chosen={String(filing.uk_stagger)}
          />
          <Select
            label="Your year begins in"
            hint="For places whose periods follow your own year"
            name="fiscal_year_start"
            choices={MONTHS}
            chosen={String(filing.fiscal_year_start)}
          />
        </div>
      </fieldset>
    </Form>
  )
}

function PlaceFields({ account, nations }: { account: Seller; nations: readonly Option[] }) {
  const [country, setCountry] = useState<string | null>(account.country)
  return (
    <div class="fields">
      <Choice
        label="Country"
        hint="Where you are established"
        name="country"
        options={nations}
        chosen={account.country ?? ''}
        changed={setCountry}
      />
      <RegionChoice
        key={country}
        country={country}
        chosen={country === account.country ? (account.region ?? '') : ''}
      />
      <Input
        label="Postal code"
        name="postal_code"
        maxlength={20}
        value={account.postal_code ?? ''}
        autocomplete="postal-code"
      />
    </div>
  )
}

/** The body of the request. Throws a Failure that names a field. */
async function readProfile(typed: Typed, nations: readonly Option[]): Promise<object> {
  const country = typed.chosen('country', 'Country', nations)
  return {
    name: typed.text('name'),
    country,
    region: await readRegion(typed, country),
    postal_code: typed.optional('postal_code'),
    vat_id: typed.optional('vat_id'),
    vat_id_policy: typed.text('vat_id_policy'),
    small_business: typed.isChecked('small_business'),
    time_zone: typed.chosen('time_zone', 'Time zone', ZONES),
    filing: {
      uk_stagger: Number(typed.text('uk_stagger')),
      fiscal_year_start: Number(typed.text('fiscal_year_start')),
    },
  }
}
