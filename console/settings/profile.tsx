import { useState } from 'hono/jsx/dom'
import type { AccountAnswer } from '../../client/src/schema.ts'
import { accountChanged } from '../account.ts'
import { callApi, read } from '../api.ts'
import { countries, type Option, regionsOf } from '../names.ts'
import { toast } from '../parts/changes.tsx'
import { Check, Choice, Form, Input, readRegion, RegionChoice, Select, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Section } from '../parts/parts.tsx'

const COUNTS = 'A customer’s VAT id counts'
const POLICIES = { format: 'if its format is valid', validated: 'only if the authority confirmed it' }
const STAGGERS = { 1: 'Mar, Jun, Sep, Dec', 2: 'Apr, Jul, Oct, Jan', 3: 'May, Aug, Nov, Feb' }

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })
const MONTHS = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [index + 1, MONTH.format(new Date(Date.UTC(2026, index, 1)))]),
)

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, name: zone }))

/** The profile of the seller. */
export function ProfileCard() {
  const loading = useLoading(async (): Promise<[AccountAnswer, Option[]]> => {
    const nations = countries()
    const account = await read('/v1/account')
    // Read before RegionChoice asks for them, so that no field moves.
    if (account.country !== null) await Promise.allSettled([regionsOf(account.country)])
    return [account, await nations]
  })
  const show = ([account, nations]: [AccountAnswer, Option[]]) => (
    <Profile account={account} nations={nations} />
  )
  return (
    <Section title="Account" card>
      <Loaded of={loading} lines={10} show={show} />
    </Section>
  )
}

function Profile({ account, nations }: { account: AccountAnswer; nations: readonly Option[] }) {
  const { name, vat_id, vat_id_policy, small_business, time_zone } = account
  const { uk_stagger, fiscal_year_start: start } = account.filing
  const send = async (typed: Typed) => {
    const body = await readProfile(typed, nations)
    accountChanged({ ...account, ...(await callApi<AccountAnswer>('PUT', '/v1/account', { body })) })
    toast('The settings are saved')
  }
  return (
    <Form name="Save" send={send}>
      <Input label="Name" name="name" required maxlength={200} value={name} autocomplete="organization" />
      <fieldset>
        <legend>Where you are</legend>
        <PlaceFields account={account} nations={nations} />
      </fieldset>
      <fieldset>
        <legend>Tax</legend>
        <div class="fields">
          <Input label="VAT id" name="vat_id" maxlength={40} value={vat_id ?? ''} />
          <Select label={COUNTS} name="vat_id_policy" choices={POLICIES} chosen={vat_id_policy} />
          <Check name="small_business" checked={small_business}>
            Small-business scheme: no tax is charged in your country
          </Check>
        </div>
      </fieldset>
      <fieldset>
        <legend>Periods</legend>
        <div class="fields">
          <Choice label="Time zone" name="time_zone" options={ZONES} chosen={time_zone} required>
            Days of reports, periods and thresholds are days there
          </Choice>
          <Select label="UK quarters end in" name="uk_stagger" choices={STAGGERS} chosen={`${uk_stagger}`} />
          <Select label="Your year begins in" name="fiscal_year_start" choices={MONTHS} chosen={`${start}`}>
            For places whose periods follow your own year
          </Select>
        </div>
      </fieldset>
    </Form>
  )
}

function PlaceFields({ account, nations }: { account: AccountAnswer; nations: readonly Option[] }) {
  const [country, setCountry] = useState<string | null>(account.country)
  const chosen = account.country ?? ''
  const region = country === account.country ? (account.region ?? '') : ''
  const code = { value: account.postal_code ?? '', autocomplete: 'postal-code' }
  return (
    <div class="fields">
      <Choice label="Country" name="country" options={nations} chosen={chosen} changed={setCountry}>
        Where you are established
      </Choice>
      <RegionChoice key={country} country={country} chosen={region} />
      <Input label="Postal code" name="postal_code" maxlength={20} {...code} />
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
    ...typed.optionals('postal_code', 'vat_id'),
    vat_id_policy: typed.text('vat_id_policy'),
    small_business: typed.isChecked('small_business'),
    time_zone: typed.chosen('time_zone', 'Time zone', ZONES),
    filing: {
      uk_stagger: Number(typed.text('uk_stagger')),
      fiscal_year_start: Number(typed.text('fiscal_year_start')),
    },
  }
}
