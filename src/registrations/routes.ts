import * as z from 'zod'
import { pageFields } from '../http/page.ts'
import { type Route, route } from '../http/route.ts'
import {
  createRegistration,
  deleteRegistration,
  listRegistrations,
  readRegistration,
  updateRegistration,
} from './registrations.ts'
import { RegistrationAnswer, RegistrationFields, RegistrationPage, RegistrationRequest } from './schemas.ts'

const shared = { tag: 'Registrations', answer: RegistrationAnswer }

export const registrationRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'get',
    path: '/v1/registrations',
    scope: 'registrations:read',
    summary: 'List the registrations',
    query: z.strictObject(pageFields(100)),
    answer: z.strictObject({
      registrations: z.array(z.strictObject(RegistrationFields)),
      ...RegistrationPage,
    }),
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
    body: RegistrationRequest,
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
    body: RegistrationRequest,
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
