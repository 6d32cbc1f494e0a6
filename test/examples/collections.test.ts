import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'
import { withRecentSince } from '../support/recent-since.ts'
import { addKeys, runningService } from '../support/running-service.ts'

/** The parts of a collection that a run uses. */
type Item = {
  name: string
  request: {
    method: string
    url: { raw: string; query?: { key: string; value: string; disabled?: boolean }[] }
    header: { key: string; value: string }[]
    body?: { raw: string }
    auth?: { type: string }
  }
  event?: { script: { exec: string[] } }[]
}
type Collection = { variable: { key: string; value: string }[]; item: { name: string; item: Item[] }[] }

const read = (name: string) => readFileSync(join(PROJECT, 'examples', name), 'utf8')
const service = runningService()

/** A key of a new account, because both collections record the same order. */
async function newKey(account: string): Promise<string> {
  const [key = ''] = await addKeys(service, { account, platform: true })
  return key
}

/** Requests that need a state which no request before them makes. */
const DEPENDS_ON_STATE = {
  'Complete a pending transaction': 'transaction_not_pending',
  'Fill an empty account for tests with a year of example books': 'books_not_empty',
  'Void a pending transaction': 'transaction_not_pending',
  'Delete a refund that failed, or of a dispute that was won': 'not_found',
  // The collection refunded it before.
  'Record a transaction, in place of the one with this reference': 'transaction_not_replaceable',
  'Your own rates for one place': 'not_found',
  'One account of your platform by your own reference': 'not_found',
  'One customer by your own reference': 'not_found',
  'Revoke the open link of a customer': 'not_found',
  'One delivery with its attempts and what it sends': 'not_found',
  'Send a delivery again, or now if it waits': 'not_found',
  'The file of a certificate': 'not_found',
  'Delete the file of a certificate': 'not_found',
  // The collection has no file to send.
  'Set an unfiled return aside with a reason, or record that a statement was filed': 'not_found',
  'Store the file of a certificate, or replace it': 'invalid_request',
  'Delete an exemption': 'not_found',
  'Dismiss an order that could not be recorded': 'not_found',
}

/** Whether the service refused for another reason than a scope that only operators have. */
function isRefused({ status, reason }: Outcome): boolean {
  return status >= 400 && reason !== 'missing_scope: operator'
}

/** A response, as far as the tests compare it. */
type Outcome = { name: string; status: number; reason: string | null }

async function outcomeOf(name: string, response: Response): Promise<Outcome & { body: object }> {
  const text = await response.text()
  const body: { reason?: string } = response.headers.get('Content-Type')?.includes('json')
    ? JSON.parse(text)
    : {}
  return { name, status: response.status, reason: body.reason ?? null, body }
}

/** Sends all requests of a collection as Postman does, those that delete last. Others need what they delete. */
async function runCollection(collection: Collection): Promise<Outcome[]> {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  variables.set('url', service.origin).set('key', await newKey('Postman'))
  const placed = (text: string) =>
    text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) =>
      name === '$guid' ? crypto.randomUUID() : variables.get(name) || 'missing',
    )
  const outcomes: Outcome[] = []
  const items = collection.item.flatMap(({ item }) => item)
  const deletes = items.filter(({ request }) => request.method === 'DELETE')
  for (const { name, request, event } of [...items.filter((item) => !deletes.includes(item)), ...deletes]) {
    const headers = new Headers(request.header.map(({ key, value }) => [key, placed(value)]))
    if (request.auth?.type !== 'noauth') headers.set('Authorization', placed('Bearer {{key}}'))
    const response = await fetch(placed(request.url.raw), {
      method: request.method,
      headers,
      body: request.body === undefined ? null : withRecentSince(placed(request.body.raw)),
    })
    const { body, ...outcome } = await outcomeOf(name, response)
    outcomes.push(outcome)
    const [, variable] =
      /collectionVariables\.set\('(\w+)'/.exec(event?.[0]?.script.exec.join('\n') ?? '') ?? []
    const made = Object.entries(body).find(([key]) => key === 'id' || key === 'key_id')?.[1]
    if (variable !== undefined && typeof made === 'string') variables.set(variable, made)
  }
  return outcomes
}

it('every request of the Postman collection is understood', async () => {
  const collection: Collection = JSON.parse(read('tax.postman_collection.json'))
  const outcomes = await runCollection(collection)
  expect(outcomes.length).toBeGreaterThan(60)
  const refused = outcomes.filter(isRefused).map(({ name, reason }) => [name, reason])
  expect(Object.fromEntries(refused)).toEqual(DEPENDS_ON_STATE)
})

it('every request of the .http file is understood', async () => {
  const [head = '', ...requests] = read('tax.http').split(/\n\n(?=### )/)
  const variables = new Map([...head.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]))
  variables.set('url', service.origin).set('key', await newKey('.http'))
  const outcomes: Outcome[] = []
  for (const text of requests) {
    const [lines = '', body = null] = text
      .replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) || 'missing')
      .split('\n\n')
    const [, name = '', method, url = '', ...headers] =
      /^### (.*)\n# @name \w+\n([A-Z]+) (\S+)((?:\n[\w-]+: .*)*)$/.exec(lines.trim()) ?? []
    const given = [...headers.join('').matchAll(/\n([\w-]+): (.*)/g)].map(
      ([, key, value]): [string, string] => [key ?? '', value ?? ''],
    )
    const response = await fetch(url, { method: method ?? '', headers: given, body })
    const { body: _, ...outcome } = await outcomeOf(name, response)
    outcomes.push(outcome)
  }
  expect(outcomes.length).toBeGreaterThan(60)
  // Ids are for the reader to fill in, and example books are for an empty account.
  const expected = ['not_found', 'books_not_empty']
  const refused = outcomes.filter((outcome) => isRefused(outcome) && !expected.includes(outcome.reason ?? ''))
  expect(refused).toEqual([])
})
