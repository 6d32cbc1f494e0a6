import { callApi, Failure } from '../api.js'
import { jurisdictions } from '../parts/names.js'

/**
 * @import { z } from 'zod'
 * @import { AccountAnswer } from '../../../src/accounts/schemas.ts'
 * @import { AllExemptionsAnswer } from '../../../src/exemptions/schemas.ts'
 * @import { NexusAnswer } from '../../../src/nexus/schemas.ts'
 * @import { ObligationsAnswer } from '../../../src/obligations/schemas.ts'
 */

/**
 * What the overview is made of. A part is null if the key may not read it. `nexus` has the places that passed
 * a threshold or are near one, without a registration. `currency` is that of the account's country.
 * @typedef {{
 *   today: string, currency: string | null,
 *   returns: z.output<typeof ObligationsAnswer>['obligations'] | null,
 *   nexus: z.output<typeof NexusAnswer>['jurisdictions'] | null,
 *   certificates: { count: number, has_more: boolean } | null,
 *   webhooks: z.output<typeof AccountAnswer>['attention'] | null
 * }} Overview
 */

/** How many days before today an unfiled return is still listed. */
const DAYS_BACK = 120

/** @returns {Promise<Overview>} */
export async function readOverview() {
  const today = new Date().toISOString().slice(0, 10)
  const [account, returns, nexus, certificates] = await Promise.all([
    ifAllowed(readAccount),
    ifAllowed(() => readReturns(today)),
    ifAllowed(readNexus),
    ifAllowed(readCertificates),
  ])
  const { country = null } = account ?? {}
  const places = country === null ? [] : await jurisdictions()
  return {
    today,
    currency: places.find(({ value }) => value === country)?.currency ?? null,
    returns,
    nexus,
    certificates,
    webhooks: account === null ? null : account.attention,
  }
}

/**
 * @template Part
 * @param {() => Promise<Part>} read
 * @returns {Promise<Part | null>} null: the key lacks the scope
 */
async function ifAllowed(read) {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 403) return null
    throw thrown
  }
}

/** @returns {Promise<z.output<typeof AccountAnswer>>} */
function readAccount() {
  return callApi('GET', '/v1/account')
}

/**
 * The returns that were due lately or are due in the next 92 days, the first due first.
 * @param {string} today
 */
async function readReturns(today) {
  const day = (/** @type {number} */ shift) =>
    new Date(Date.parse(today) + shift * 86_400_000).toISOString().slice(0, 10)
  /** @type {z.output<typeof ObligationsAnswer>} */
  const { obligations } = await callApi('GET', '/v1/obligations', {
    query: { from: day(-DAYS_BACK), to: day(92), limit: '100' },
  })
  return obligations
}

async function readNexus() {
  /** @type {z.output<typeof NexusAnswer>} */
  const { jurisdictions: places } = await callApi('GET', '/v1/nexus')
  return places.filter(({ status, registered }) => !registered && status !== 'below')
}

async function readCertificates() {
  /** @type {z.output<typeof AllExemptionsAnswer>} */
  const { exemptions, has_more } = await callApi('GET', '/v1/exemptions', {
    query: { status: 'pending', limit: '100' },
  })
  return { count: exemptions.length, has_more }
}
