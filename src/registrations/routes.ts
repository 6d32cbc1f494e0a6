import { z } from 'zod'
import { CalendarDate, text } from '../http/fields.ts'
import { pageFields } from '../http/page.ts'
import { type Route, route } from '../http/route.ts'
import { createRegistration, deleteRegistration, listRegistrations, readRegistration, updateRegistration } from './registrations.ts'

const Scheme = z.enum(['oss_union', 'oss_non_union', 'ioss'])
const NewRegistration = z.strictObject({
  jurisdiction_id: text(40).nullish(),
  scheme: Scheme.nullish(),
  registration_number: text(100).nullish(),
  valid_from: CalendarDate.optional(),
  valid_to: CalendarDate.nullish(),
})
export type RegistrationBody = z.output<typeof NewRegistration>

const Answer = z.looseObject({ queried_at: z.iso.datetime(), id: z.string() })
const shared = { tag: 'Registrations', answer: Answer }

export const registrationRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'get',
    path: '/v1/registrations',
    scope: 'registrations:read',
    summary: 'List the registrations',
    query: z.strictObject(pageFields(100)),
    answer: z.looseObject({ registrations: z.array(z.looseObject({ id: z.string() })), total: z.int(), queried_at: z.iso.datetime() }),
    handle: (context, { query }) => listRegistrations(context, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/v1/registrations',
    scope: 'registrations:write',
    summary: 'Add a registration',
    status: 201,
    body: NewRegistration,
    idempotent: true,
    handle: (context, { body }) => createRegistration(context, body),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/registrations/:id',
    scope: 'registrations:read',
    summary: 'One registration',
    handle: (context, { params }) => readRegistration(context, params['id'] ?? ''),
  }),
  route({
    ...shared,
    method: 'put',
    path: '/v1/registrations/:id',
    scope: 'registrations:write',
    summary: 'Change a registration',
    body: NewRegistration,
    handle: (context, { params, body }) => updateRegistration(context, params['id'] ?? '', body),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/v1/registrations/:id',
    scope: 'registrations:write',
    summary: 'Delete a registration',
    handle: (context, { params }) => deleteRegistration(context, params['id'] ?? ''),
  }),
]
