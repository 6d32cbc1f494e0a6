import type { LawCase } from './deck.ts'

/** A request that asks a case. The body is sent as JSON. */
export type CaseRequest = { method: 'GET' | 'POST'; path: string; body?: unknown }

/** What a service says of a case. What its form does not tell is left out, and is not compared. */
export type Told = {
  /** Minor units. */
  tax?: number
  line_tax?: number[]
  /** A fraction. */
  rate?: number
  jurisdiction?: string
  reverse_charge?: boolean
  must_register?: boolean
  collect?: boolean
}

/**
 * The form of a service. `ask` returns the request of a case, or why the form cannot say it: such a case is
 * left out, not failed. `read` returns what an answer with status 200 says.
 */
export type Adapter = {
  name: string
  headers: (key: string) => Record<string, string>
  ask: (asked: LawCase, as_of: string) => CaseRequest | { cannot: string }
  read: (body: unknown, asked: LawCase) => Told
}

/** A field of a JSON object; undefined if it is no object or lacks it. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** The fields of an answer that have a value of the type that they should have. */
export function told(fields: { [Name in keyof Told]: unknown }): Told {
  const answer: Told = {}
  const { tax, line_tax, rate, jurisdiction, reverse_charge, must_register, collect } = fields
  if (typeof tax === 'number') answer.tax = tax
  if (Array.isArray(line_tax) && line_tax.every((each) => typeof each === 'number'))
    answer.line_tax = line_tax
  if (typeof rate === 'number') answer.rate = rate
  if (typeof jurisdiction === 'string') answer.jurisdiction = jurisdiction
  if (typeof reverse_charge === 'boolean') answer.reverse_charge = reverse_charge
  if (typeof must_register === 'boolean') answer.must_register = must_register
  if (typeof collect === 'boolean') answer.collect = collect
  return answer
}
