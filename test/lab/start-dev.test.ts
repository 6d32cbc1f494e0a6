import { expect, it } from 'vitest'
import { startDev } from '../../lab/start-dev.ts'

it('reports a service that ends before it answers, instead of waiting for it', async () => {
  await expect(startDev(['--port', 'abc'])).rejects.toThrow('The service ended with 2')
})
