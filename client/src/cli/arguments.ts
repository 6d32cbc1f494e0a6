import { parseArgs } from 'node:util'
import type { SellerRequest } from '../schema.ts'
import type { MtdQuestion } from './mtd/mtd.ts'
import { UsageError } from './usage-error.ts'

const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  registered: { type: 'string' },
  'postal-code': { type: 'string' },
  city: { type: 'string' },
  currency: { type: 'string' },
  inclusive: { type: 'boolean', default: false },
  type: { type: 'string' },
  jurisdiction: { type: 'string' },
  vrn: { type: 'string' },
  sandbox: { type: 'boolean', default: false },
  declare: { type: 'boolean', default: false },
  'amends-apart': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const

/** A country and its region: `US-CA` is California. */
export type Place = { country: string; region?: string }

/** A price as it was typed, and its product type. */
export type Item = { price: string; product_type: string }

export type Question = {
  to: Place & { postal_code?: string; city?: string }
  seller: SellerRequest | null
  items: Item[]
  currency: string | null
  inclusive: boolean
  json: boolean
  url: string | null
}

/** Filed returns to check; without type and jurisdiction: all. */
export type ReturnsToCheck = {
  type: string | null
  jurisdiction_id: string | null
  json: boolean
  url: string | null
}

export type Command =
  | { name: 'calculate'; question: Question }
  | { name: 'reconcile'; returns: ReturnsToCheck }
  | { name: 'mtd'; mtd: MtdQuestion }
  | { name: 'help' }
  | { name: 'version' }

/** Reads the arguments. Throws UsageError. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parsed(args)
  const [command, ...words] = positionals
  if (values.help || (command === undefined && args.length === 0)) return { name: 'help' }
  if (values.version) return { name: 'version' }
  if (command === 'calculate') return { name: command, question: questionOf(values, words) }
  if (command === 'reconcile') return { name: command, returns: returnsOf(values, words) }
  if (command === 'mtd') return { name: command, mtd: mtdOf(values, words) }
  throw new UsageError(
    command === undefined
      ? 'give a command: calculate, reconcile or mtd'
      : `${command} is not a command: use calculate, reconcile or mtd`,
  )
}

type Values = ReturnType<typeof parsed>['values']

function returnsOf(values: Values, words: readonly string[]): ReturnsToCheck {
  const [word] = words
  if (word !== undefined) throw new UsageError(`${word}: reconcile takes options only`)
  return {
    type: values.type ?? null,
    jurisdiction_id: values.jurisdiction?.toUpperCase() ?? null,
    json: values.json,
    url: values.url ?? null,
  }
}

function mtdOf(values: Values, [verb, ...words]: readonly string[]): MtdQuestion {
  const { vrn = null, sandbox, json, url = null } = values
  const to_hmrc = { vrn, sandbox, json, url }
  if (verb === 'obligations' && words.length === 0)
    return { ...to_hmrc, verb, days: daysOf(values.from, values.to) }
  const [return_id, ...rest] = words
  if (verb !== 'submit' || return_id === undefined || rest.length > 0)
    throw new UsageError('give mtd obligations, or mtd submit with the id of a return')
  const { declare: declared, 'amends-apart': amends_apart } = values
  return { ...to_hmrc, verb, return_id, declared, amends_apart }
}

function daysOf(from: string | undefined, to: string | undefined): { from: string; to: string } | null {
  if (from === undefined && to === undefined) return null
  for (const day of [from, to])
    if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day))
      throw new UsageError('--from and --to: give two days such as 2026-01-31, at most a year apart')
  return { from: from ?? '', to: to ?? '' }
}

function questionOf(values: Values, words: readonly string[]): Question {
  if (values.to === undefined)
    throw new UsageError('--to is missing: give the country of the customer, such as --to FR')
  const { 'postal-code': postal_code, city } = values
  return {
    to: {
      ...placeOf(values.to, '--to'),
      ...(postal_code !== undefined && { postal_code }),
      ...(city !== undefined && { city }),
    },
    seller: sellerOf(values.from, values.registered),
    items: itemsOf(words),
    currency: values.currency?.toUpperCase() ?? null,
    inclusive: values.inclusive,
    json: values.json,
    url: values.url ?? null,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function placeOf(text: string, option: string): Place {
  const [, country, region] = /^([A-Za-z]{2})(?:-([A-Za-z0-9]{1,10}))?$/.exec(text) ?? []
  if (country === undefined)
    throw new UsageError(`${option} ${text}: give a country such as FR, or a country and a region, US-CA`)
  return { country: country.toUpperCase(), ...(region !== undefined && { region: region.toUpperCase() }) }
}

function sellerOf(from: string | undefined, registered: string | undefined): SellerRequest | null {
  if (from !== undefined)
    return {
      ...placeOf(from, '--from'),
      registrations: registered?.split(',').map((each) => each.trim()) ?? [],
    }
  if (registered !== undefined) throw new UsageError('--registered needs --from, the place of the seller')
  return null
}

function itemsOf(words: readonly string[]): Item[] {
  if (words.length === 0 || words.length % 2 === 1)
    throw new UsageError('give prices with their product types, such as 19.99 saas 5 ebooks')
  const items: Item[] = []
  for (let index = 0; index < words.length; index += 2)
    items.push({ price: words[index] ?? '', product_type: words[index + 1] ?? '' })
  return items
}
