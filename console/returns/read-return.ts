import type { z } from 'zod'
import type { FilingAnswer } from '../../src/reports/filing/answers.ts'
import type { FiledReturn, ReturnAnswer, ReturnsAnswer } from '../../src/reports/returns/schemas.ts'
import { callApi, type Query } from '../api.ts'
import type { Names } from '../names.ts'
import { periodWords } from './period-words.ts'

export type Figures = Omit<z.output<typeof FilingAnswer>, 'queried_at'>
export type Version = z.output<typeof FiledReturn>

/**
 * A return with what is known of it. `filed` is the version whose figures these are; null: it is open.
 * `versions` are all that were filed of the period, the newest first.
 */
export type TaxReturn = { figures: Figures; filed: Version | null; versions: Version[] }

/** Reads the return that an address names. With `version`, that version of a filed return. */
export async function readReturn(asked: Query, version: string | null): Promise<TaxReturn> {
  const [figures, versions] = await Promise.all([readFigures(asked, version), readVersions(asked)])
  const id = figures.filed?.return_id ?? null
  return { figures, versions, filed: versions.find((each) => each.id === id) ?? null }
}

export async function readFigures(asked: Query, version: string | null): Promise<Figures> {
  if (version === null) return callApi('GET', '/v1/reports/filing', { query: asked })
  const path = `/v1/returns/${encodeURIComponent(version)}`
  return (await callApi<z.output<typeof ReturnAnswer>>('GET', path)).figures
}

async function readVersions({
  type = null,
  period = null,
  jurisdiction_id = null,
}: Query): Promise<Version[]> {
  const query = { type, period, jurisdiction_id, limit: '100' }
  const { returns } = await callApi<z.output<typeof ReturnsAnswer>>('GET', '/v1/returns', { query })
  return returns.filter((each) => each.jurisdiction_id === jurisdiction_id)
}

/** A figure with a link to its rows. Amounts in minor units; `net` is told beside the tax of all sales. */
export type Figure = {
  key: string
  name: string
  amount: number
  net: number | null
  currency: string
  url: string
}

/** The figures of a return that add up rows. */
export function figuresWithRows(figures: Figures, names: Names): Figure[] {
  const { boxes, supplies, jurisdiction_taxes, corrections, expired_corrections } = figures
  const own = figures.currency ?? supplies[0]?.currency ?? ''
  const nameOf = (id: string) => names.get(id) ?? id
  type ReturnFigure = Omit<Figure, 'key' | 'url' | 'amount' | 'net'> & {
    amount: number | null
    net?: number | null
    transactions_url: string | null
  }
  const found: ReturnFigure[] = [
    ...boxes.map((box) => ({ ...box, name: `Box ${box.box}: ${box.name}`, currency: own })),
    ...supplies.map((each) => ({
      ...each,
      amount: each.tax_amount,
      net: figures.type === 'generic' ? each.gross_sales : null,
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
      name: `Correction of ${periodWords(each.period)}, ${nameOf(each.jurisdiction_id)}`,
    })),
  ]
  return found.flatMap(({ transactions_url, amount, net = null, name, currency }) => {
    const key = figureOf(transactions_url)
    return key === null || transactions_url === null || amount === null
      ? []
      : [{ key, name, amount, net, currency, url: transactions_url }]
  })
}

/** The name of a figure in its link. */
export function figureOf(url: string | null): string | null {
  return url === null ? null : new URLSearchParams(url.split('?')[1]).get('figure')
}
