import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { text } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { ROLE_IDS } from '../../platform/database/values/roles.ts'
import { canonicalEmail, isEmail } from './email.ts'

/** What a person may do. */
export const Role = z.enum(ROLE_IDS, `must be one of ${ROLE_IDS.join(', ')}`)

const PERSON = {
  id: z.string(),
  email: z.string().describe('In lower case. Empty if it was erased'),
  name: z.string(),
  role: Role.describe('What the person may do'),
  last_seen_at: z.string().nullable().describe('The day of the last sign-in; the time is not recorded'),
  created_at: Timestamp,
  updated_at: Timestamp,
  removed_at: Timestamp.nullable().describe('Since when the person has no access'),
}

/** A person who signs in, and has access to the account. */
export const Person = z.strictObject(PERSON)

export const PersonAnswer = z.strictObject({ ...PERSON, queried_at: Timestamp })

export const PersonShown = z.strictObject({
  ...PERSON,
  sign_in_url: z.string().describe('Where a person signs in: the console, at `CONSOLE_URL` if that is set'),
  queried_at: Timestamp,
})

export const PeopleQuery = z.strictObject(pageFields(100))

export const PeopleAnswer = z.strictObject({
  people: z.array(Person),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

const Name = text(200).trim().min(1, 'must not be empty')

export const NewPersonRequest = z.strictObject({
  email: text(254)
    .transform(canonicalEmail)
    .refine(isEmail, 'must be an e-mail address')
    .describe('With which the person signs in'),
  name: Name,
  role: Role,
})

/** Any subset of the fields. */
export const PersonRequest = z.strictObject({ name: Name.optional(), role: Role.optional() })

export const RemovalQuery = z.strictObject({
  erase: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .describe('`true`: also erase name and e-mail. Default: `false`'),
})
