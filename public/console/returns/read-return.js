import { callApi } from '../api.js'

/**
 * @import { z } from 'zod'
 * @import { FilingAnswer } from '../../../src/reports/filing/answers.ts'
 * @import { FiledReturn, ReturnAnswer, ReturnsAnswer } from '../../../src/reports/returns/schemas.ts'
 */

/**
 * A return with what is known of it. `filed` is the version whose figures these are; null: it is open.
 * `versions` are all that were filed of the period, the newest first.
 * @typedef {Omit<z.output<typeof FilingAnswer>, 'queried_at'>} Figures
 * @typedef {z.output<typeof FiledReturn>} Version
 * @typedef {{ figures: Figures, filed: Version | null, versions: Version[] }} TaxReturn
 */

/**
 * Reads the return that an address names. With `version`, that version of a filed return.
 * @param {Record<string, string | null> & { type: string, period: string }} asked
 * @param {string | null} version
 * @returns {Promise<TaxReturn>}
 */
export async function readReturn(asked, version) {
  const [figures, versions] = await Promise.all([readFigures(asked, version), readVersions(asked)])
  const id = figures.filed?.return_id ?? null
  return { figures, versions, filed: versions.find((each) => each.id === id) ?? null }
}

/**
 * @param {Record<string, string | null>} asked
 * @param {string | null} version
 * @returns {Promise<Figures>}
 */
export async function readFigures(asked, version) {
  if (version === null) return callApi('GET', '/v1/reports/filing', { query: asked })
  /** @type {z.output<typeof ReturnAnswer>} */
  const { figures } = await callApi('GET', `/v1/returns/${encodeURIComponent(version)}`)
  return figures
}

/** @param {Record<string, string | null>} asked */
async function readVersions({ type = null, period = null, jurisdiction_id = null }) {
  /** @type {z.output<typeof ReturnsAnswer>} */
  const { returns } = await callApi('GET', '/v1/returns', {
    query: { type, period, jurisdiction_id, limit: '100' },
  })
  return returns.filter((each) => each.jurisdiction_id === jurisdiction_id)
}

/**
 * A figure with a link to its rows. `amount` in minor units.
 * @typedef {{ key: string, name: string, amount: number, currency: string, url: string }} Figure
 */

/**
 * The figures of a return that add up rows.
 * @param {Figures} figures
 * @param {ReadonlyMap<string, string>} names of the jurisdictions
 * @returns {Figure[]}
 */
export function figuresWithRows(figures, names) {
  const { boxes, supplies, jurisdiction_taxes, corrections, expired_corrections } = figures
  const own = figures.currency ?? supplies[0]?.currency ?? ''
  const nameOf = (/** @type {string} */ id) => names.get(id) ?? id
  const found = [
    ...boxes.map((box) => ({ ...box, name: `Box ${box.box}: ${box.name}`, currency: own })),
    ...supplies.map((each) => ({
      ...each,
      amount: each.tax_amount,
      name: `Tax of ${nameOf(each.jurisdiction_id)}`,
    })),
    ...(jurisdiction_taxes ?? []).map((each) => ({
      ...each,
      amount: each.tax_amount,
      name: `Tax of ${each.name}`,
    })),
    ...[...corrections, ...expired_corrections].map((each) => ({
      ...each,
      amount: each.tax_amount,
      name: `Correction of ${each.period}, ${nameOf(each.jurisdiction_id)}`,
    })),
  ]
  return found.flatMap(({ transactions_url, amount, name, currency }) => {
    const key = figureOf(transactions_url)
    return key === null || transactions_url === null || amount === null
      ? []
      : [{ key, name, amount, currency, url: transactions_url }]
  })
}

/**
 * The name of a figure in its link.
 * @param {string | null} url
 */
export function figureOf(url) {
  return url === null ? null : new URLSearchParams(url.split('?')[1]).get('figure')
}
