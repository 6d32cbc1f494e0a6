import { DeletedAnswer } from '../../platform/http/answers.ts'
import { feature, route } from '../../platform/http/route.ts'
import {
  createRegistration,
  deleteRegistration,
  listRegistrations,
  updateRegistration,
} from './registrations.ts'
import {
  RegistrationAnswer,
  RegistrationRequest,
  RegistrationsAnswer,
  RegistrationsQuery,
} from './schemas.ts'
import { readRegistration } from './store.ts'

const shared = { tag: 'Registrations', answer: RegistrationAnswer } as const

const serves = ['/v1/registrations']

export const registrationRoutes = feature(serves, [
  route({
    ...shared,
    method: 'get',
    path: '/v1/registrations',
    operation: 'listRegistrations',
    client: 'registrations.list',
    scope: 'registrations:read',
    summary: 'List the registrations',
    query: RegistrationsQuery,
    answer: RegistrationsAnswer,
    handle: (context, { query }) => listRegistrations(context, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/v1/registrations',
    operation: 'createRegistration',
    client: 'registrations.create',
    writes: 'control',
    scope: 'registrations:write',
    summary: 'Add a registration',
    description: 'You collect the tax of this jurisdiction or scheme from `valid_from` to `valid_to`.',
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
    operation: 'getRegistration',
    client: 'registrations.get',
    params: { id: 'The id of the registration, `reg_…`' },
    scope: 'registrations:read',
    summary: 'One registration',
    handle: (context, { params }) => readRegistration(context, params.id),
  }),
  route({
    ...shared,
    method: 'put',
    path: '/v1/registrations/:id',
    operation: 'updateRegistration',
    client: 'registrations.update',
    writes: 'control',
    params: { id: 'The id of the registration, `reg_…`' },
    scope: 'registrations:write',
    summary: 'Change a registration',
    errors: ['unknown_jurisdiction', 'concurrent_change', 'registration_in_use'],
    body: RegistrationRequest,
    example: { valid_to: '2026-12-31' },
    handle: (context, { params, body }) => updateRegistration(context, params.id, body),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/v1/registrations/:id',
    operation: 'deleteRegistration',
    client: 'registrations.delete',
    writes: 'control',
    params: { id: 'The id of the registration, `reg_…`' },
    scope: 'registrations:write',
    summary: 'Delete a registration',
    description: 'One that filed returns rest on cannot be deleted: end it with `valid_to`.',
    errors: ['registration_in_use'],
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteRegistration(context, params.id),
  }),
])
