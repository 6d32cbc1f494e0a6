import type { FakeService, FakeServiceOptions } from '../src/testing.ts'
import { fakeServiceWith } from './fake-service.ts'
import { SHIPPED } from './shipped.generated.ts'

export const createFakeService = (options?: FakeServiceOptions): FakeService =>
  fakeServiceWith(SHIPPED, options)
