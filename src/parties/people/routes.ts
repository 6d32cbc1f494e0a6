import { DeletedAnswer } from '../../platform/http/answers.ts'
import { feature, route } from '../../platform/http/route.ts'
import { addPerson, getPerson, listPeople, putPerson, removePerson } from './people.ts'
import {
  NewPersonRequest,
  PeopleAnswer,
  PeopleQuery,
  PersonAnswer,
  PersonShown,
  PersonRequest,
  RemovalQuery,
} from './schemas.ts'

const ofPerson = {
  tag: 'People',
  path: '/v1/people/:id',
  params: { id: 'The id of the person, `person_…`' },
} as const

const serves = ['/v1/people']

/** The people of an account, who sign in with their own accounts at an identity provider. */
export const peopleRoutes = feature(serves, [
  route({
    method: 'get',
    path: '/v1/people',
    operation: 'listPeople',
    client: 'people.list',
    scope: 'people:read',
    tag: 'People',
    summary: 'List the people of the account',
    description: 'Those who have access, in the order in which they were added.',
    query: PeopleQuery,
    answer: PeopleAnswer,
    handle: (context, { query }) => listPeople(context, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    method: 'post',
    path: '/v1/people',
    operation: 'createPerson',
    client: 'people.create',
    writes: 'control',
    scope: 'people:write',
    tag: 'People',
    summary: 'Add a person to the account',
    description:
      'The person has access from the next sign-in with this e-mail. No mail is sent: give the person the ' +
      'address of the console.',
    errors: ['scope_not_grantable', 'person_exists', 'too_many_people'],
    status: 201,
    idempotent: true,
    body: NewPersonRequest,
    example: { email: 'kim@example.com', name: 'Kim Example', role: 'accountant' },
    answer: PersonAnswer,
    handle: (context, { body }) => addPerson(context, body),
  }),
  route({
    ...ofPerson,
    method: 'get',
    operation: 'getPerson',
    client: 'people.get',
    scope: 'people:read',
    summary: 'A person of the account',
    description: 'Also one who was removed, because history names the id.',
    answer: PersonShown,
    handle: (context, { params, url }) => getPerson(context, params.id, url),
  }),
  route({
    ...ofPerson,
    method: 'put',
    operation: 'updatePerson',
    client: 'people.update',
    writes: 'control',
    scope: 'people:write',
    summary: 'Change the name or the role of a person',
    description: 'Omitted fields stay. A new role counts from the next request of the person.',
    errors: ['scope_not_grantable', 'last_owner', 'concurrent_change'],
    body: PersonRequest,
    example: { role: 'auditor' },
    answer: PersonAnswer,
    handle: (context, { params, body }) => putPerson(context, params.id, body),
  }),
  route({
    ...ofPerson,
    method: 'delete',
    operation: 'deletePerson',
    client: 'people.delete',
    writes: 'control',
    scope: 'people:write',
    summary: 'Remove a person from the account',
    description:
      'The access ends at once. What the person did stays in history, under the id. API keys that the ' +
      'person made stay valid: revoke them if they should not.',
    errors: ['scope_not_grantable', 'last_owner', 'concurrent_change', 'legal_hold'],
    query: RemovalQuery,
    answer: DeletedAnswer,
    handle: (context, { params, query }) => removePerson(context, params.id, query.erase === 'true'),
  }),
])
