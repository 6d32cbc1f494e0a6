import { vi } from 'vitest'

// Files share a process, so each begins with the clock and the globals as they are.
vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()
vi.restoreAllMocks()
