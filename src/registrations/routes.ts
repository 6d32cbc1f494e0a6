import { z } from 'zod'
import { CalendarDate, JurisdictionId, text } from '../http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../http/page.ts'
import { type Route, route } from '../http/route.ts'
import { createRegistration, deleteRegistration, listRegistrations, readRegistration, updateRegistration } from './registrations.ts'

const Scheme = z.enum(['oss_union', 'oss_non_union', 'ioss'])
const NewRegistration = z.strictObject({
  jurisdiction_id: JurisdictionId.nullish(),
  scheme: Scheme.nullish(),
  registration_number: text(100).nullish(),
  valid_from: CalendarDate.optional(),
  valid_to: CalendarDate.nullish(),
})
export type RegistrationBody = z.output<typeof NewRegistration>

const Fields = {
  id: z.string(),
  jurisdiction_id: z.string().nullable(),
  scheme: Scheme.nullable(),
  registration_number: z.string().nullable(),
  valid_from: z.iso.date(),
  valid_to: z.iso.date().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}
const Page = { ...PAGE_ANSWER, queried_at: z.iso.datetime() }
const Answer = z.strictObject({ ...Fields, queried_at: z.iso.datetime() })
const shared = { tag: 'Registrations', answer: Answer }

export const registrationRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'get',
    path: '/v1/registrations',
    scope: 'registrations:read',
    summary: 'List the registrations',
    query: z.strictObject(pageFields(100)),
    answer: z.strictObject({ registrations: z.array(z.strictObject(Fields)), ...Page }),
    handle: (context, { query }) => listRegistrations(context, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/v1/registrations',
    scope: 'registrations:write',
    summary: 'Add a registration',
    description: 'Where you are registered, tax is collected, from `valid_from` to `valid_to`.',
    errors: ['unknown_jurisdiction'],
    status: 201,
    body: NewRegistration,
    example: { jurisdiction_id: 'US-CA', registration_number: '102-345678', valid_from: '2026-01-01' },
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
    errors: ['unknown_jurisdiction', 'concurrent_change'],
    body: NewRegistration,
    example: { valid_to: '2026-12-31' },
    handle: (context, { params, body }) => updateRegistration(context, params['id'] ?? '', body),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/v1/registrations/:id',
    scope: 'registrations:write',
    summary: 'Delete a registration',
    answer: z.strictObject({ id: z.string(), deleted: z.literal(true), queried_at: z.iso.datetime() }),
    handle: (context, { params }) => deleteRegistration(context, params['id'] ?? ''),
  }),
]
