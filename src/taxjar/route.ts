import * as z from 'zod'
import type { Context } from '../context.ts'
import type { Input, PathParams } from '../http/route.ts'
import type { Scope } from '../http/scopes.ts'
import type { ServedRoute } from '../server/serve.ts'
import type { TaxJarReply } from './reply.ts'

type JsonShape = z.ZodType

/** Clients send parameters that mean nothing here, such as `street`. */
const ANY_QUERY = z.object({})
type ReadShape<S extends JsonShape | null> = S extends JsonShape ? z.output<S> : undefined

/** A route in the form of TaxJar. It is served, validated and documented from this one definition. */
export type TaxJarRoute = ServedRoute & {
  summary: string
  params: Readonly<Record<string, string>>
  answer: JsonShape
  /** Whether its key is in a posted form: only the check of a key. */
  key_in_form: boolean
}

type TaxJarDefinition<
  Path extends string,
  Query extends JsonShape | null,
  Body extends JsonShape | null,
  Answered extends JsonShape,
> = {
  method: TaxJarRoute['method']
  path: Path
  scope: Scope
  summary: string
  params?: PathParams<Path>
  status?: 200 | 201
  query?: Query
  body?: Body
  answer: Answered
  key_in_form?: boolean
  handle: (
    context: Context,
    input: Input<PathParams<Path>, ReadShape<Query>, ReadShape<Body>>,
  ) => Promise<TaxJarReply<z.input<Answered> & object>> | TaxJarReply<z.input<Answered> & object>
}

/** Defines a route. Its path is that of TaxJar; routes.ts adds the alias. */
export function taxjarRoute<
  const Path extends string,
  Answered extends JsonShape,
  Query extends JsonShape | null = null,
  Body extends JsonShape | null = null,
>(definition: TaxJarDefinition<Path, Query, Body, Answered>): TaxJarRoute {
  const { params = {}, status = 200, query = null, body = null, key_in_form = false } = definition
  return {
    ...definition,
    params,
    status,
    query: query ?? ANY_QUERY,
    body,
    body_optional: false,
    etag: false,
    repeats: null,
    idempotent: false,
    writes: 'books',
    key_in_form,
    // The input is parsed with the route's own schemas and path before the call, so it has their types.
    handle: definition.handle as ServedRoute['handle'],
  }
}
