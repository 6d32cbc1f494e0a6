import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'
import { EVENTS } from '../../src/notices/events/event-types.ts'

const rows = readFileSync(join(PROJECT, 'docs/webhooks.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))

it.each(Object.entries(EVENTS))('the guide of webhooks has the fields of %s', (type, { data }) => {
  const [fields = ''] = rows.flatMap((row) => {
    const [, types = '', text = ''] = row.split('|')
    return types.includes(`\`${type}\``) ? [text] : []
  })
  expect(Object.keys(data.shape).filter((field) => !fields.includes(`\`${field}\``))).toEqual([])
})
