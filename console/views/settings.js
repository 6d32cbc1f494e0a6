import { callApi } from '../api.ts'
import { element, failureNotice, field, form, select } from '../legacy/elements.js'
import { setZone } from '../legacy/format.js'
import { choice } from '../legacy/choice.js'
import { load } from '../legacy/load.js'
import { countries, regionsOf } from '../names.ts'
import { toast } from '../parts/toast.tsx'
import { calendarCard } from '../settings/calendar-card.js'
import { usageCard } from '../settings/usage-card.js'

/**
 * @import { z } from 'zod'
 * @import { AccountAnswer } from '../../src/accounts/schemas.ts'
 * @import { Page } from '../legacy/page.ts'
 * @typedef {z.output<typeof AccountAnswer>} Account
 */

const POLICIES = /** @type {[string, string][]} */ ([
  ['format', 'if its format is valid'],
  ['validated', 'only if the authority confirmed it'],
])

/** @type {[string, string][]} */
const STAGGERS = [
  ['1', 'Mar, Jun, Sep, Dec'],
  ['2', 'Apr, Jul, Oct, Jan'],
  ['3', 'May, Aug, Nov, Feb'],
]

/** @type {[string, string][]} */
const MONTHS = Array.from({ length: 12 }, (_, index) => [
  String(index + 1),
  new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2026, index, 1)),
  ),
])

/**
 * The profile of the seller, usage, and the calendar address. They are shown together, so that nothing moves.
 * @param {Page} page
 */
export function show({ place }) {
  return load(place, async () => {
    const [profile, usage, calendar] = await Promise.all([
      profileCard(),
      usageCard().catch(noticeOf),
      calendarCard().catch(noticeOf),
    ])
    return element('div', { class: 'settings' }, profile, element('div', { class: 'stack' }, usage, calendar))
  })
}

/** A key may lack a scope for one of the cards. @param {unknown} thrown */
function noticeOf(thrown) {
  return failureNotice(thrown)
}

async function profileCard() {
  const account = await readAccount()
  const place = await placeFields(account)
  const tax = taxFields(account)
  const periods = periodFields(account)
  const name = element('input', {
    required: true,
    maxlength: 200,
    value: account.name,
    autocomplete: 'organization',
  })
  const fields = [
    field('Name', name),
    fieldset('Where you are', place.shown),
    fieldset('Tax', tax.shown),
    fieldset('Periods', periods.shown),
  ]
  const made = form('Save', fields, async () => {
    const body = { name: name.value.trim(), ...place.read(), ...tax.read(), ...periods.read() }
    /** @type {Account} */
    const saved = await callApi('PUT', '/v1/account', { body })
    setZone(saved.time_zone)
    const shown = saved.sandbox ? `${saved.name} (sandbox)` : saved.name
    document.getElementById('account')?.replaceChildren(shown)
    toast('The settings are saved')
  })
  return element(
    'section',
    { class: 'card stack', 'aria-labelledby': 'profile' },
    element('h2', { id: 'profile' }, 'Account'),
    made,
  )
}

/** @param {Account} account */
async function placeFields(account) {
  const all_countries = await countries()
  const country = choice('Country', all_countries, {
    chosen: account.country ?? '',
    hint: 'Where you are established',
  })
  const region = choice('State or province', [])
  const postal_code = element('input', {
    maxlength: 20,
    value: account.postal_code ?? '',
    autocomplete: 'postal-code',
  })
  await offerRegions(region, account.country, account.region)
  country.input.addEventListener('change', () => {
    const code = all_countries.find(({ name }) => name === country.input.value)?.value ?? null
    void offerRegions(region, code, null)
  })
  return {
    shown: [country.shown, region.shown, field('Postal code', postal_code)],
    read: () => ({
      country: country.read(),
      region: region.read(),
      postal_code: postal_code.value.trim() || null,
    }),
  }
}

/** @param {Account} account */
function taxFields(account) {
  const vat_id = element('input', { maxlength: 40, value: account.vat_id ?? '', autocomplete: 'off' })
  const policy = select(POLICIES, account.vat_id_policy)
  const small = element('input', { type: 'checkbox', checked: account.small_business })
  const words = element('span', {}, 'Small-business scheme: no tax is charged in your country')
  return {
    shown: [
      field('VAT id', vat_id),
      field('A customer’s VAT id counts', policy),
      element('label', { class: 'check' }, small, words),
    ],
    read: () => ({
      vat_id: vat_id.value.trim() || null,
      vat_id_policy: policy.value,
      small_business: small.checked,
    }),
  }
}

/** @param {Account} account */
function periodFields({ time_zone, filing }) {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, name: zone }))
  const zone = choice('Time zone', zones, {
    chosen: time_zone,
    hint: 'Days of reports, periods and thresholds are days there',
    required: true,
  })
  const stagger = select(STAGGERS, String(filing.uk_stagger))
  const year = select(MONTHS, String(filing.fiscal_year_start))
  return {
    shown: [
      zone.shown,
      field('UK quarters end in', stagger),
      field('Your year begins in', year, 'For places whose periods follow your own year'),
    ],
    read: () => ({
      time_zone: zone.read(),
      filing: { uk_stagger: Number(stagger.value), fiscal_year_start: Number(year.value) },
    }),
  }
}

/** @returns {Promise<Account>} */
function readAccount() {
  return callApi('GET', '/v1/account')
}

/**
 * @param {import('../legacy/choice.js').Choice} region
 * @param {string | null} country
 * @param {string | null} chosen
 */
async function offerRegions(region, country, chosen) {
  const regions = country === null ? [] : await regionsOf(country).catch(() => [])
  region.shown.hidden = regions.length === 0
  region.offer(regions, regions.length === 0 ? '' : (chosen ?? ''))
}

/**
 * @param {string} legend
 * @param {HTMLElement[]} fields
 */
function fieldset(legend, fields) {
  return element(
    'fieldset',
    {},
    element('legend', {}, legend),
    element('div', { class: 'fields' }, ...fields),
  )
}
