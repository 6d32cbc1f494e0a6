import { afterEach, expect, it, vi } from 'vitest'
import { fieldError } from '../../../src/platform/errors.ts'
import { logFault } from '../../../src/platform/kit/log-fault.ts'
import { RELEASE } from '../../../src/platform/release.ts'

afterEach(() => vi.restoreAllMocks())

it('logs the reason of a refusal without what somebody typed, and other failures whole', () => {
  const lines: unknown[] = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(JSON.parse(line)))
  logFault({ step: 'one' }, fieldError('invalid_region', 'customer.address.region', '"Zqregion" is no state'))
  logFault({ step: 'two' }, new TypeError('Network connection lost'))
  logFault({ step: 'three' }, 'a text')
  expect(lines).toEqual([
    { level: 'error', step: 'one', error: 'invalid_region', release: RELEASE },
    { level: 'error', step: 'two', error: 'TypeError: Network connection lost', release: RELEASE },
    { level: 'error', step: 'three', error: 'unknown', release: RELEASE },
  ])
})
