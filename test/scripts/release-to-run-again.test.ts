import { describe, expect, it } from 'vitest'
import { type Deployment, versionToRunAgain } from '../../scripts/release-to-run-again.ts'

const of = (id: string, code: string, more: object = {}, rollback = false): Deployment => ({
  version: { id, release: null, code, bindings: ['DB', 'KV', 'BOOKS_1'], by_secret: false, ...more },
  created_on: '2026-11-28T00:00:00Z',
  rollback,
})

describe('a rollback runs again', () => {
  it('the last version with other code, with the secrets that it had at its end', () => {
    const key = of('2', 'old', { by_secret: true })
    expect(versionToRunAgain([of('3', 'new'), key, of('1', 'old')], ['DB', 'BOOKS_1']).id).toBe('2')
  })

  it.each<[string, readonly Deployment[], string]>([
    ['nothing is deployed', [], 'Nothing is deployed'],
    ['there is one release', [of('2', 'new'), of('1', 'new')], 'all have the code that is running'],
    [
      'it was done before',
      [of('1', 'old', {}, true), of('2', 'new'), of('1', 'old')],
      'already one that was',
    ],
    ['a shard is missing', [of('2', 'new'), of('1', 'old', { bindings: ['DB'] })], 'no binding for BOOKS_1'],
    [
      'a secret changed',
      [of('3', 'new', { by_secret: true }), of('2', 'new'), of('1', 'old')],
      'A secret was',
    ],
  ])('nothing if %s', (_, deployments, message) => {
    expect(() => versionToRunAgain(deployments, ['DB', 'BOOKS_1'])).toThrow(message)
  })
})
