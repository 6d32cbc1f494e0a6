import { feature, route } from '../../platform/http/route.ts'
import { createFeed, deleteFeed, getFeed } from './feed.ts'
import { listObligations } from './list.ts'
import { decideObligation } from './decide.ts'
import {
  CalendarFeedAnswer,
  CalendarFeedDeleted,
  NewCalendarFeedAnswer,
  ObligationAnswer,
  ObligationsAnswer,
  ObligationsQuery,
  ObligationRequest,
} from './schemas.ts'

const serves = ['/v1/obligations']

export const obligationRoutes = feature(serves, [
  route({
    method: 'get',
    path: '/v1/obligations',
    operation: 'listObligations',
    client: 'obligations.list',
    scope: 'reports:read',
    tag: 'Reports',
    summary: 'The returns that the registrations have to file, by due date',
    description:
      'Without `from`, the list has what is due from today on, and what is overdue: a return stays in it ' +
      'until it is filed or set aside, however old it is. It begins with the books: with the first sale, ' +
      'or the day on which the account was made, and at most 50 years ago. `counts` is about all pages. A ' +
      'period with supplies to businesses of other member states has a recapitulative statement too. Set ' +
      '`filing_frequency` of a registration if it differs from the usual one. `without_dates` lists the ' +
      'registrations that the calendar does not know. The events `return.due` come 7 days before, ' +
      '`return.overdue` in the night after the last day.',
    errors: ['amount_out_of_range'],
    query: ObligationsQuery,
    answer: ObligationsAnswer,
    handle: (context, { query }) => listObligations(context, query),
  }),
  route({
    method: 'put',
    path: '/v1/obligations/:id',
    operation: 'updateObligation',
    client: 'obligations.update',
    scope: 'reports:write',
    tag: 'Reports',
    idempotent: true,
    params: { id: 'The id of the obligation, such as `obl_US-TX_2026-Q1`' },
    summary: 'Set an unfiled return aside with a reason, or record that a statement was filed',
    description:
      'What is set aside is no longer to be filed, and the list without `from` leaves it out: ask for ' +
      '`status=set_aside`. A sale or a refund of its days that is recorded or deleted later, and that it ' +
      'concerns, brings it back: `set_aside.counts` is then false, until it is filed or set aside again. ' +
      '`filed` is for recapitulative statements alone, which this service does not keep. Null takes either ' +
      'back. The audit log has who decided what, and when.',
    errors: ['not_found', 'period_already_filed', 'concurrent_change', 'amount_out_of_range'],
    body: ObligationRequest,
    example: { set_aside: 'Filed on paper before we kept the books here' },
    answer: ObligationAnswer,
    handle: (context, { params: { id }, body }) => decideObligation(context, id, body),
  }),
  route({
    method: 'get',
    path: '/v1/obligations/calendar',
    operation: 'getObligationsCalendar',
    client: 'obligations.calendar.get',
    scope: 'reports:read',
    tag: 'Reports',
    summary: 'Whether the account has a calendar address',
    answer: CalendarFeedAnswer,
    handle: (context) => getFeed(context),
  }),
  route({
    method: 'post',
    path: '/v1/obligations/calendar',
    operation: 'createObligationsCalendar',
    client: 'obligations.calendar.create',
    scope: 'reports:write',
    writes: 'control',
    tag: 'Reports',
    summary: 'Make a secret address for calendar programs; an old one stops at once',
    description:
      'The address needs no key, and returns the due dates as text/calendar, without amounts. ' +
      'It is shown once.',
    status: 201,
    idempotent: true,
    answer: NewCalendarFeedAnswer,
    handle: (context, { url }) => createFeed(context, url),
  }),
  route({
    method: 'delete',
    path: '/v1/obligations/calendar',
    operation: 'revokeObligationsCalendar',
    client: 'obligations.calendar.delete',
    scope: 'reports:write',
    writes: 'control',
    tag: 'Reports',
    summary: 'Revoke the calendar address',
    errors: ['not_found'],
    answer: CalendarFeedDeleted,
    handle: (context) => deleteFeed(context),
  }),
])
