import { useRef, useState } from 'hono/jsx/dom'
import type { AccountAnswer, NewCalendarFeedAnswer, UsageAnswer } from '../../client/src/schema.ts'
import { accountChanged, may } from '../account.ts'
import { callApi, mistake, read } from '../api.ts'
import { editableMoney, formatCount, formatShare, parseMoney } from '../format.ts'
import { countries, type Option, regionsOf } from '../names.ts'
import { change, Deeds, toast } from '../parts/changes.tsx'
import { Check, Choice, Form, Input, readRegion, RegionChoice, Select, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Bar, Day, Press, SecretOnce, Section } from '../parts/parts.tsx'
import { inWords, sentence } from '../words.ts'
import { EstablishmentsCard } from './establishments.tsx'
import { FourEyesCard } from './four-eyes.tsx'
import { MessagesCard } from './messages.tsx'

/** The profile of the seller, its establishments, usage, and the calendar address, with a list of them. */
export function View() {
  const column = useRef<HTMLDivElement>(null)
  const parts = may('reports:read') ? PARTS : PARTS.filter((part) => part !== CALENDAR)
  const goTo = (part: string) => {
    const headings = column.current?.querySelectorAll<HTMLElement>('h2, legend') ?? []
    const heading = [...headings].find(({ textContent }) => textContent.startsWith(part))
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView()
  }
  return (
    <div class="settings">
      <nav aria-label="Settings">
        {parts.map((part) => (
          <Press name={part} act={() => goTo(part)} kind="plain" />
        ))}
      </nav>
      <div class="stack" ref={column}>
        <ProfileCard />
        <EstablishmentsCard />
        <FourEyesCard />
        <MessagesCard />
        {may('reports:read') && <CalendarCard />}
        <UsageCard />
      </div>
    </div>
  )
}

const CALENDAR = 'Due dates in your calendar'

/** The beginnings of the headings, from the top down. */
const PARTS = [
  'Account',
  'Where you are',
  'Tax',
  'Periods',
  'Offices, staff and stock',
  'Two people for a return',
  'Daily message',
  CALENDAR,
  'Usage',
] as const

const NEARLY_FULL = 0.85

/** The names of this screen where they are not those of the API. */
const NAMES: Readonly<Record<string, string>> = {
  api_keys: 'API keys',
  exemptions: 'Certificates',
  document_bytes: 'Certificate files',
  filed_rows: 'Rows in filed returns',
}

/** A count of rows, or for bytes a number of megabytes. */
function sizeOf(name: string, count: number): string {
  if (!name.endsWith('_bytes')) return formatCount(count)
  return `${formatCount(Math.round(count / 100_000) / 10)} MB`
}

/** The stored rows of the account beside their quotas. */
export function UsageCard() {
  const loading = useLoading(() => read('/v1/account/usage'))
  const tier = loading.value === null ? 'Usage' : `Usage, tier ${sentence(loading.value.tier)}`
  return (
    <Section title={tier} card>
      <Loaded of={loading} lines={10} show={(usage) => <Rows {...usage} />} />
    </Section>
  )
}

function Rows({ usage, requests_per_minute, lines_per_request }: UsageAnswer) {
  return (
    <>
      <p class="quiet">
        {`${formatCount(requests_per_minute)} requests a minute, `}
        {`${formatCount(lines_per_request)} lines in a request. `}
        When a limit is reached, new records are refused. Existing records stay.
      </p>
      <ul class="usage">
        {Object.entries(usage).map(([name, { stored, quota }]) => {
          const share = quota === 0 ? 0 : stored / quota
          const state = share >= 1 ? 'exceeded' : share >= NEARLY_FULL ? 'approaching' : 'below'
          return (
            <li>
              <span>{NAMES[name] ?? inWords(name)}</span>
              <span class="quiet number">
                {`${sizeOf(name, stored)} of ${sizeOf(name, quota)}, ${formatShare(share)}`}
              </span>
              <Bar share={share} state={state} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

const PATH = '/v1/obligations/calendar'

const REPLACE = {
  title: 'Replace the calendar link?',
  text: 'The old link stops working at once.',
  yes: 'Replace',
}

const REVOKE = {
  title: 'Revoke the calendar link?',
  text: 'Calendar apps that use it stop updating.',
  yes: 'Revoke',
}

/** The secret address of due dates for calendar programs. */
export function CalendarCard() {
  const loading = useLoading(() => read(PATH))
  return (
    <Section title={CALENDAR} card>
      <Loaded of={loading} show={(feed) => <Feed {...feed} again={loading.again} />} />
    </Section>
  )
}

function Feed({ created_at, again }: { created_at: string | null; again: () => Promise<void> }) {
  const [address, setAddress] = useState<string | null>(null)
  const make = async () => {
    const ask = created_at === null ? {} : { ask: REPLACE }
    const made = await change<NewCalendarFeedAnswer>('POST', PATH, ask)
    if (made !== null) setAddress(made.url)
  }
  const revoke = async () => {
    await change('DELETE', PATH, { ask: REVOKE, told: 'The calendar link is revoked' })
    await again()
  }
  const stored = () => {
    setAddress(null)
    void again()
  }
  const advice =
    'Subscribe to it in your calendar app. Anyone with this link sees places, periods and due dates, ' +
    'never amounts.'
  if (address !== null)
    return <SecretOnce name="The calendar link" secret={address} advice={advice} done={stored} />
  return (
    <>
      {created_at === null ? (
        <p class="quiet">A calendar app can show the due dates of your returns.</p>
      ) : (
        <p class="quiet">
          The link was created on <Day at={created_at} />. It is shown only once.
        </p>
      )}
      {may('reports:write') && (
        <Deeds
          of={[
            {
              name: created_at === null ? 'Create a calendar link' : 'Replace the calendar link…',
              act: make,
            },
            created_at !== null && { name: 'Revoke…', act: revoke },
          ]}
        />
      )}
    </>
  )
}

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
  const { name, vat_id, vat_id_policy, small_business, time_zone, global_turnover: turnover } = account
  const { uk_stagger, fiscal_year_start: start } = account.filing
  const send = async (typed: Typed) => {
    const body = await readProfile(typed, nations)
    accountChanged({ ...account, ...(await callApi<AccountAnswer>('PUT', '/v1/account', { body })) })
    toast('The settings are saved')
  }
  return (
    <Form name="Save changes" scope="registrations:write" send={send} waits>
      <Input label="Name" name="name" required maxlength={200} value={name} autocomplete="organization" />
      <fieldset>
        <legend>Where you are</legend>
        <PlaceFields account={account} nations={nations} />
      </fieldset>
      <fieldset>
        <legend>Tax</legend>
        <div class="fields">
          <Input label="VAT id" name="vat_id" maxlength={40} value={vat_id ?? ''}>
            {vat_id === null && 'Not set. Invoices and returns need it where a registration has no number'}
          </Input>
          <Select label={COUNTS} name="vat_id_policy" choices={POLICIES} chosen={vat_id_policy} />
          <Check name="small_business" checked={small_business}>
            Small-business scheme: no tax is charged in your country
          </Check>
          <Input
            label="Worldwide turnover"
            name="global_turnover"
            inputmode="decimal"
            value={turnover === null ? '' : editableMoney(turnover.amount, turnover.currency)}
          >
            {turnover === null && 'Not set. '}
            In 12 months. Without it, the thresholds of Switzerland, Liechtenstein and Singapore are unknown
          </Input>
          <Input
            label="Currency of the turnover"
            name="turnover_currency"
            maxlength={3}
            value={turnover?.currency ?? ''}
          >
            Such as EUR
          </Input>
        </div>
      </fieldset>
      <fieldset>
        <legend>Periods</legend>
        <div class="fields">
          <Choice label="Time zone" name="time_zone" options={ZONES} chosen={time_zone} required>
            Reports use this time zone
          </Choice>
          <Select label="UK quarters end in" name="uk_stagger" choices={STAGGERS} chosen={`${uk_stagger}`} />
          <Select
            label="Your financial year begins in"
            name="fiscal_year_start"
            choices={MONTHS}
            chosen={`${start}`}
          >
            For places whose filing periods follow your financial year
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
        {account.country === null
          ? 'Not set. Calculations and thresholds need it'
          : 'Where you are established'}
      </Choice>
      <RegionChoice key={country} country={country} chosen={region} />
      <Input label="Postal code" name="postal_code" maxlength={20} {...code} />
      <Input label="City" name="city" maxlength={200} value={account.city ?? ''}>
        Some states tax sales at the seller’s place (origin sourcing)
      </Input>
      <Input label="Street and number" name="line1" maxlength={300} value={account.line1 ?? ''} />
      <Input label="Building, floor" name="line2" maxlength={300} value={account.line2 ?? ''} />
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
    ...typed.optionals('postal_code', 'city', 'line1', 'line2', 'vat_id'),
    vat_id_policy: typed.text('vat_id_policy'),
    small_business: typed.isChecked('small_business'),
    global_turnover: readTurnover(typed),
    time_zone: typed.chosen('time_zone', 'Time zone', ZONES),
    filing: {
      uk_stagger: Number(typed.text('uk_stagger')),
      fiscal_year_start: Number(typed.text('fiscal_year_start')),
    },
  }
}

/** Null: not known. Throws a Failure if the amount cannot be read, or lacks its currency. */
function readTurnover(typed: Typed): { amount: number; currency: string } | null {
  const [amount, currency] = [typed.text('global_turnover'), typed.text('turnover_currency').toUpperCase()]
  if (amount === '') return null
  if (currency === '') throw mistake('turnover_currency: is required with a turnover', 'required')
  return { amount: parseMoney(amount, currency, 'Worldwide turnover'), currency }
}
