import { type Route, route } from '../../platform/http/route.ts'
import { createFeed, deleteFeed, getFeed } from './feed.ts'
import { listObligations } from './list.ts'
import {
  CalendarFeedAnswer,
  CalendarFeedDeleted,
  NewCalendarFeedAnswer,
  ObligationsAnswer,
  ObligationsQuery,
} from './schemas.ts'

export const obligationRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v1/obligations',
    operation: 'listObligations',
    scope: 'reports:read',
    tag: 'Reports',
    summary: 'The returns that the registrations have to file, by due date',
    description:
      'Without `from`, the list has what is due from today on, and what is overdue: a return stays in it ' +
      'until it is filed. It begins with the books: with the first sale, or the day on which the account ' +
      'was made, and at most 400 days ago. Set `filing_frequency` of a registration if it differs from ' +
      'the usual one. `without_dates` lists the registrations that the calendar does not know. The events ' +
      '`return.due` come 7 days before, `return.overdue` in the night after the last day.',
    errors: ['amount_out_of_range'],
    query: ObligationsQuery,
    answer: ObligationsAnswer,
    handle: (context, { query }) => listObligations(context, query),
  }),
  route({
    method: 'get',
    path: '/v1/obligations/calendar',
    operation: 'getObligationsCalendar',
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
    handle: (context) => createFeed(context),
  }),
  route({
    method: 'delete',
    path: '/v1/obligations/calendar',
    operation: 'revokeObligationsCalendar',
    scope: 'reports:write',
    writes: 'control',
    tag: 'Reports',
    summary: 'Revoke the calendar address',
    errors: ['not_found'],
    answer: CalendarFeedDeleted,
    handle: (context) => deleteFeed(context),
  }),
]
